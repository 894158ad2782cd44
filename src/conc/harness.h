/* harness.h - the root function: what runs the program. */
#ifndef CONC_HARNESS_H
#define CONC_HARNESS_H

#include "ir/ir.h"

struct Diag;

/* Does the program define that function, under this name or another? */
bool harness_defines(const Ir *ir, const char *name);

typedef struct HarnessOptions {
	const char *const *entries; /* functions to call one after the other, instead of main */
	u32 nentry;
	/* globs of names: every external function that one matches may run in parallel with every
	 * other and itself */
	const char *const *open;
	u32 nopen;
	/* A program without a main and these options begins and, if that returned 0, ends with them,
	 * if it has the first; null: none. */
	const char *first, *then;
} HarnessOptions;

/* Adds a synthetic root function to ir, after models and before points-to, and
 * returns it; 0 after a diagnostic if there is nothing to run.  A program that
 * was printed with its root keeps that one. */
FnId harness_build(Ir *ir, const HarnessOptions *options, struct Diag *diag);

#endif
