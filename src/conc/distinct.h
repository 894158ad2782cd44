/* distinct.h - memory that each instance of a thread has for itself (design:
 * Distinct per thread).
 *
 * A thread that a counting loop forks gets, in each round, its own value of
 * the counter, its own array element, or an object allocated in that round.
 * What it reaches from there by the same injective function is its own.  So is
 * what it reaches by a ticket: a number drawn from a counter that only grows. */
#ifndef CONC_DISTINCT_H
#define CONC_DISTINCT_H

#include "conc/fresh.h"
#include "conc/order.h"

struct Entries;

typedef struct Distinct Distinct;

/* Does a program with so many entries have few enough to look at one by one? */
bool distinct_few(u32 entries);
/* few: the entries, if they are few; else null. */
Distinct *distinct_solve(Arena *a, const Threads *t, const Order *o, const Fresh *f,
			 struct Entries *few);
/* The family of size bytes at addr, accessed by ins in inst of t: two accesses
 * of one family, by two instances of a thread, never touch the same byte.  The
 * creator's accesses in the round of a fork, before it, are of the family too:
 * they are ordered before that thread, and touch nothing of the others'.
 * 0: none. */
u32 distinct_family(Distinct *d, ThreadId t, InstId inst, InsId ins, Val addr, u64 size);

/* From now on numbers may also be drawn in sections that the program's own flags keep apart. */
struct Flags;
void distinct_use_flags(Distinct *d, const struct Flags *f);

/* Does finding out ask for the order, or the locks held, at other points? */
bool distinct_asks_order(const Distinct *d);

/* By how much is n, which inst computes, more than the number of instances that the loop of t
 * makes there?  False: not known. */
bool distinct_left_over(Distinct *d, ThreadId t, InstId inst, Val n, i64 *over);

/* Bytes lo .. hi - 1 of one single object; if there is a step, size of them at a time, from lo on
 * and multiples of the step more, or less. */
typedef struct Extent {
	ObjId obj;
	i64 lo, hi, step, size;
} Extent;
bool extents_apart(const Extent *x, const Extent *y);
/* The number, from 1, of the extent that such an access stays within; 0 unknown. */
u32 distinct_extent(Distinct *d, ThreadId t, InstId inst, InsId ins, Val addr, u64 size);
const Extent *distinct_extent_get(const Distinct *d, u32 id);

#endif
