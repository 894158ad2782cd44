/* sign.h - what the sign of a value says of those it was computed from. */
#ifndef CONC_SIGN_H
#define CONC_SIGN_H

#include "ir/ir.h"

/* reg's sign is in mask (SIGN_*). */
typedef struct SignFact {
	Val reg;
	u32 mask;
} SignFact;
enum { SIGN_FACTS = 12 };

/* Lists what follows if v's sign is in mask, of registers that are not just
 * conversions of others; returns how many. */
u32 sign_follow(const Ir *ir, const Fn *fn, Val v, u32 mask, SignFact out[SIGN_FACTS]);
/* The same for what holds on the edge of b to its successor number succ. */
u32 sign_edge(const Ir *ir, const Fn *fn, const Block *b, u32 succ, SignFact out[SIGN_FACTS]);
/* The signs that v may have, by itself. */
u32 sign_of(const Ir *ir, Val v);
/* The signs of a for which `a pred k` may be the given truth. */
u32 sign_cmp(CmpPred pred, i64 k, bool truth);

#endif
