/* range.h - what is known of a number: an interval, perhaps without 0.
 *
 * Numbers are those of a width, sign-extended to 64 bits, as constants are; a
 * truth value is 0 or -1.  The empty range is that of what has no value yet, or
 * never has one.  Every operation gives a range that holds all results of
 * numbers in its operands'. */
#ifndef IR_RANGE_H
#define IR_RANGE_H

#include "ir/ir.h"

typedef struct Range {
	i64 lo, hi; /* lo > hi: empty, and then it is range_none */
	bool not0;  /* lo < 0 < hi, and it is not 0 */
} Range;

Range range_none(void);
/* All numbers of the width; of 0 or more than 64 bits: of 64. */
Range range_all(u16 width);
Range range_one(i64 n);
Range range_make(i64 lo, i64 hi, bool not0);

static inline bool
range_empty(Range r)
{
	return r.lo > r.hi;
}
static inline bool
range_is(Range r, i64 n)
{
	return r.lo == n && r.hi == n;
}
static inline bool
range_single(Range r)
{
	return r.lo == r.hi;
}
static inline bool
range_has(Range r, i64 n)
{
	return r.lo <= n && n <= r.hi && !(r.not0 && !n);
}
bool range_eq(Range a, Range b);
Range range_join(Range a, Range b);
Range range_meet(Range a, Range b);

Range range_bin(BinOp op, Range a, Range b, u16 width);
Range range_cast(CastKind kind, Range a, u16 from, u16 to);
/* A truth value. */
Range range_cmp(CmpPred p, Range a, Range b, u16 width);
/* Those numbers of a for which `a p b` may be the given truth. */
Range range_where(CmpPred p, bool truth, Range a, Range b, u16 width);
/* The predicate with its operands exchanged. */
CmpPred range_swapped(CmpPred p);

#endif
