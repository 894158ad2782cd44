/* distinct.h - memory that each instance of a thread has for itself (design:
 * Distinct per thread).
 *
 * A thread that a counting loop forks gets, in each round, its own value of
 * the counter, its own array element, or an object allocated in that round.
 * What it reaches from there by the same injective function is its own. */
#ifndef CONC_DISTINCT_H
#define CONC_DISTINCT_H

#include "conc/fresh.h"
#include "conc/threads.h"

typedef struct Distinct Distinct;

Distinct *distinct_solve(Arena *a, const Threads *t, Fresh *f);
/* The family of size bytes at addr in inst, run by t: two accesses of one
 * family, by two instances of t, never touch the same byte.  0: no such. */
u32 distinct_family(Distinct *d, ThreadId t, InstId inst, Val addr, u64 size);

#endif
