/* range.c - see range.h. */
#include "ir/range.h"

#include "ir/arith.h"

Range
range_none(void)
{
	return (Range){1, 0, false};
}

Range
range_make(i64 lo, i64 hi, bool not0)
{
	if (not0 && lo == 0)
		lo = 1;
	if (not0 && hi == 0)
		hi = -1;
	return lo > hi ? range_none() : (Range){lo, hi, not0 && lo < 0 && hi > 0};
}

Range
range_one(i64 n)
{
	return (Range){n, n, false};
}

Range
range_all(u16 width)
{
	if (!width || width >= 64)
		return (Range){INT64_MIN, INT64_MAX, false};
	return (Range){-((i64)1 << (width - 1)), ((i64)1 << (width - 1)) - 1, false};
}

bool
range_eq(Range a, Range b)
{
	return a.lo == b.lo && a.hi == b.hi && a.not0 == b.not0;
}

Range
range_join(Range a, Range b)
{
	if (range_empty(a))
		return b;
	if (range_empty(b))
		return a;
	return range_make(MIN(a.lo, b.lo), MAX(a.hi, b.hi), !range_has(a, 0) && !range_has(b, 0));
}

Range
range_meet(Range a, Range b)
{
	return range_make(MAX(a.lo, b.lo), MIN(a.hi, b.hi), a.not0 || b.not0);
}

/* ---- operators ------------------------------------------------------------- */

/* The interval, if no number in it overflows. */
static Range
fit(i64 lo, i64 hi, bool overflow, u16 width)
{
	Range all = range_all(width);

	return overflow || lo < all.lo || hi > all.hi ? all : range_make(lo, hi, false);
}

static Range
add(Range a, Range b, u16 width)
{
	i64 lo, hi;
	bool over = __builtin_add_overflow(a.lo, b.lo, &lo);

	over |= __builtin_add_overflow(a.hi, b.hi, &hi);
	return fit(lo, hi, over, width);
}

static Range
subtract(Range a, Range b, u16 width)
{
	i64 lo, hi;
	bool over = __builtin_sub_overflow(a.lo, b.hi, &lo);

	over |= __builtin_sub_overflow(a.hi, b.lo, &hi);
	return fit(lo, hi, over, width);
}

static Range
multiply(Range a, Range b, u16 width)
{
	i64 p[4];
	bool over = __builtin_mul_overflow(a.lo, b.lo, &p[0]);
	Range r = range_none();

	over |= __builtin_mul_overflow(a.lo, b.hi, &p[1]);
	over |= __builtin_mul_overflow(a.hi, b.lo, &p[2]);
	over |= __builtin_mul_overflow(a.hi, b.hi, &p[3]);
	for (u32 k = 0; !over && k < COUNT(p); k++)
		r = range_join(r, range_one(p[k]));
	return fit(r.lo, r.hi, over, width);
}

/* Both operands are one number each. */
static Range
exactly(BinOp op, i64 a, i64 b, u16 width)
{
	u64 x = arith_mask((u64)a, width), y = arith_mask((u64)b, width), r;

	if (op == BIN_FLOAT || op == BIN_COUNT)
		return range_all(width);
	if ((op == BIN_SHL || op == BIN_LSHR || op == BIN_ASHR) && y >= (width ? width : 64))
		return range_all(width);
	if (arith_is_division((u8)op) && !y)
		return range_all(width);
	r = arith_is_division((u8)op) ? arith_divide(op, x, y, width)
				      : arith_combine(op, x, y, width);
	return range_one(arith_extend(r, width));
}

Range
range_bin(BinOp op, Range a, Range b, u16 width)
{
	if (range_empty(a) || range_empty(b))
		return range_none();
	if (width > 64)
		return range_all(width);
	if (range_single(a) && range_single(b))
		return exactly(op, a.lo, b.lo, width);
	switch (op) {
	case BIN_ADD: return add(a, b, width);
	case BIN_SUB: return subtract(a, b, width);
	case BIN_MUL: return multiply(a, b, width);
	case BIN_AND:
		if (a.lo < 0 && b.lo < 0)
			break;
		return range_make(0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : MIN(a.hi, b.hi), false);
	case BIN_UREM:
		if (b.lo > 0)
			return range_make(0, b.hi - 1, false);
		break;
	case BIN_LSHR:
		if (a.lo >= 0)
			return range_make(0, a.hi, false);
		break;
	default: break;
	}
	return range_all(width);
}

Range
range_cast(CastKind kind, Range a, u16 from, u16 to)
{
	Range all = range_all(to);

	if (range_empty(a))
		return a;
	if (from > 64 || to > 64 || !from || !to || kind == CAST_FLOAT || kind == CAST_PTRTOINT ||
	    kind == CAST_INTTOPTR)
		return range_is(a, 0) && kind != CAST_FLOAT ? a : all;
	switch (kind) {
	case CAST_SEXT: return a;
	case CAST_TRUNC:
		if (range_single(a))
			return range_one(arith_extend((u64)a.lo, to));
		return a.lo >= all.lo && a.hi <= all.hi ? a : all;
	default: break; /* CAST_ZEXT */
	}
	if (a.lo >= 0)
		return a;
	if (range_single(a))
		return range_one(arith_extend(arith_mask((u64)a.lo, from), to));
	if (from >= 64 || from >= to)
		return all;
	return range_make(0, (i64)arith_mask(~(u64)0, from), !range_has(a, 0));
}

/* ---- comparisons ------------------------------------------------------------- */

CmpPred
range_swapped(CmpPred p)
{
	static const CmpPred swapped[CMP_COUNT] = {
	    [CMP_EQ] = CMP_EQ,   [CMP_NE] = CMP_NE,   [CMP_UGT] = CMP_ULT,    [CMP_UGE] = CMP_ULE,
	    [CMP_ULT] = CMP_UGT, [CMP_ULE] = CMP_UGE, [CMP_SGT] = CMP_SLT,    [CMP_SGE] = CMP_SLE,
	    [CMP_SLT] = CMP_SGT, [CMP_SLE] = CMP_SGE, [CMP_FLOAT] = CMP_FLOAT};

	return swapped[p];
}

static CmpPred
negated(CmpPred p)
{
	static const CmpPred not_p[CMP_COUNT] = {
	    [CMP_EQ] = CMP_NE,   [CMP_NE] = CMP_EQ,   [CMP_UGT] = CMP_ULE,    [CMP_UGE] = CMP_ULT,
	    [CMP_ULT] = CMP_UGE, [CMP_ULE] = CMP_UGT, [CMP_SGT] = CMP_SLE,    [CMP_SGE] = CMP_SLT,
	    [CMP_SLT] = CMP_SGE, [CMP_SLE] = CMP_SGT, [CMP_FLOAT] = CMP_FLOAT};

	return not_p[p];
}

/* Those of a that are less than some number of b, or equal. */
static Range
below(Range a, Range b, bool equal)
{
	if (!equal && b.hi == INT64_MIN)
		return range_none();
	return range_meet(a, range_make(INT64_MIN, b.hi - !equal, false));
}

static Range
above(Range a, Range b, bool equal)
{
	if (!equal && b.lo == INT64_MAX)
		return range_none();
	return range_meet(a, range_make(b.lo + !equal, INT64_MAX, false));
}

static Range
other_than(Range a, Range b)
{
	if (!range_single(b))
		return a;
	if (!b.lo)
		return range_make(a.lo, a.hi, true);
	if (range_is(a, b.lo))
		return range_none();
	return range_make(a.lo + (a.lo == b.lo), a.hi - (a.hi == b.lo), a.not0);
}

/* Numbers without sign are in the order of their signed values on either side
 * of 0, and the negative ones are the greater. */
static Range
below_unsigned(Range a, Range b, bool equal)
{
	if (b.lo >= 0)
		return below(range_meet(a, range_make(0, INT64_MAX, false)), b, equal);
	if (a.lo >= 0 && b.hi >= 0)
		return a;
	return a.hi < 0 && b.hi < 0 ? below(a, b, equal) : a;
}

static Range
above_unsigned(Range a, Range b, bool equal)
{
	if (b.hi < 0)
		return above(range_meet(a, range_make(INT64_MIN, -1, false)), b, equal);
	if (a.lo >= 0 && b.lo >= 0)
		return above(a, b, equal);
	return b.lo >= 0 && !equal ? other_than(a, range_one(0)) : a;
}

Range
range_where(CmpPred p, bool truth, Range a, Range b, u16 width)
{
	if (range_empty(a) || range_empty(b))
		return range_none();
	if (width > 64)
		return a;
	switch (truth ? p : negated(p)) {
	case CMP_EQ: return range_meet(a, b);
	case CMP_NE: return other_than(a, b);
	case CMP_SLT: return below(a, b, false);
	case CMP_SLE: return below(a, b, true);
	case CMP_SGT: return above(a, b, false);
	case CMP_SGE: return above(a, b, true);
	case CMP_ULT: return below_unsigned(a, b, false);
	case CMP_ULE: return below_unsigned(a, b, true);
	case CMP_UGT: return above_unsigned(a, b, false);
	case CMP_UGE: return above_unsigned(a, b, true);
	case CMP_FLOAT:
	case CMP_COUNT: break;
	}
	return a;
}

Range
range_cmp(CmpPred p, Range a, Range b, u16 width)
{
	bool yes, no;

	if (range_empty(a) || range_empty(b))
		return range_none();
	if (p == CMP_FLOAT || width > 64)
		return range_make(-1, 0, false);
	yes = !range_empty(range_where(p, true, a, b, width)) &&
	      !range_empty(range_where(range_swapped(p), true, b, a, width));
	no = !range_empty(range_where(p, false, a, b, width)) &&
	     !range_empty(range_where(range_swapped(p), false, b, a, width));
	return range_make(yes ? -1 : 0, no ? 0 : -1, false);
}
