/* fuzz.h - what the fuzz targets share.
 *
 * A target is LLVMFuzzerTestOneInput: it takes any bytes, and a crash, a
 * sanitizer's report or a failed assertion is a bug.  `make fuzz` links it with
 * libFuzzer; the ordinary builds link it with replay.c, which runs it on the
 * inputs that were found. */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include "base/diag.h"
#include "ir/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#endif
