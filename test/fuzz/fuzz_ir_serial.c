/* fuzz_ir_serial.c - the reader of the IR's serial form.  The checksum is made
 * right, or nothing would get past it; what ir_check then passes can be printed,
 * linked and written again. */
#include "fuzz.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

enum { CHECKSUM = 8, COVERED = 16 }; /* where it is, and where its part starts */

static void
use(Arena *a, Ir *unit)
{
	Ir linked;
	Diag d;
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	u8 *bytes;

	ir_print(unit, to);
	fclose(to);
	free(text);
	diag_init(&d, a, NULL);
	ir_init(&linked, a);
	ir_link(&linked, &unit, 1, &d);
	assert(d.errors || !ir_check(&linked));
	ir_write(&linked, a, &bytes, &n);
	diag_release(&d);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	Arena a;
	Ir ir;
	u8 *copy;
	u64 sum;

	if (n < COVERED)
		return 0;
	arena_init(&a, NULL);
	copy = (u8 *)arena_dup(&a, bytes, n);
	sum = hash_bytes(copy + COVERED, n - COVERED);
	memcpy(copy + CHECKSUM, &sum, sizeof sum);
	ir_init(&ir, &a);
	if (ir_read(&ir, copy, n) && !ir_check(&ir))
		use(&a, &ir);
	arena_release(&a);
	return 0;
}
