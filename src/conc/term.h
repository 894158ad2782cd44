/* term.h - numbers as sums of products of what does not change.
 *
 * A thread computes its share of an array from its number and from sizes that
 * the program learns when it runs: id * (n / threads).  A term says what such a
 * number is without knowing it: a sum of products, with whole factors, of
 * atoms.  Atoms are the number n of the thread, values that are the same for
 * all instances of it while they live, and operations on terms that are no sums
 * or products.  Terms are interned: equal sums have the same id.
 *
 * Arithmetic is that of whole numbers: what overflows is not looked at. */
#ifndef CONC_TERM_H
#define CONC_TERM_H

#include "base/map.h"
#include "ir/ir.h"

typedef u32 TermId; /* 0: none, or too long */

typedef struct Terms {
	Intern terms, atoms;
	u32 number; /* the atom n */
} Terms;

void terms_init(Terms *t, Arena *a);

TermId term_int(Terms *t, i64 k);
TermId term_number(Terms *t);
/* A value that does not change: a register, a place in memory. */
TermId term_reg(Terms *t, u32 inst, Val v);
TermId term_place(Terms *t, u32 slot, i64 add, u16 width);
/* x + k * y */
TermId term_add(Terms *t, TermId x, TermId y, i64 k);
TermId term_mul(Terms *t, TermId x, TermId y);
TermId term_bin(Terms *t, BinOp op, TermId x, TermId y);

/* x of the next number. */
TermId term_next(Terms *t, TermId x);
/* Does x depend on n? */
bool term_varies(const Terms *t, TermId x);
/* Does it, as n grows, never fall, or never rise? */
bool term_goes_one_way(const Terms *t, TermId x);
/* Is it add + scale * n + rest, where the rest does not depend on n?  Gives the scale. */
bool term_linear(const Terms *t, TermId x, i64 *scale);
/* Is it add + scale * n? */
bool term_plain(const Terms *t, TermId x, i64 *scale, i64 *add);
/* x without its constant part, which is given. */
TermId term_split(Terms *t, TermId x, i64 *add);

#endif
