/* interleave_arith.c - numbers of a given width, in 64 bits.
 *
 * A register holds its value zero-extended; signed operators extend it first.
 * A width of 0 or 64 means all bits. */
#include "ir/interleave_int.h"

u64
arith_mask(u64 v, u16 width)
{
	return width && width < 64 ? v & (((u64)1 << width) - 1) : v;
}

i64
arith_extend(u64 v, u16 width)
{
	u32 shift = width && width < 64 ? 64u - width : 0;

	return (i64)(v << shift) >> shift;
}

u64
arith_compare(CmpPred p, u64 a, u64 b, u16 width)
{
	i64 x, y;

	a = arith_mask(a, width);
	b = arith_mask(b, width);
	x = arith_extend(a, width);
	y = arith_extend(b, width);
	switch (p) {
	case CMP_EQ: return a == b;
	case CMP_NE: return a != b;
	case CMP_UGT: return a > b;
	case CMP_UGE: return a >= b;
	case CMP_ULT: return a < b;
	case CMP_ULE: return a <= b;
	case CMP_SGT: return x > y;
	case CMP_SGE: return x >= y;
	case CMP_SLT: return x < y;
	case CMP_SLE: return x <= y;
	case CMP_FLOAT:
	case CMP_COUNT: break;
	}
	return 0;
}

u64
arith_combine(BinOp op, u64 a, u64 b, u16 width)
{
	u32 by = (u32)(b & 63);

	switch (op) {
	case BIN_ADD: return a + b;
	case BIN_SUB: return a - b;
	case BIN_MUL: return a * b;
	case BIN_SHL: return a << by;
	case BIN_LSHR: return a >> by;
	case BIN_ASHR: return (u64)(arith_extend(a, width) >> by);
	case BIN_AND: return a & b;
	case BIN_OR: return a | b;
	case BIN_XOR: return a ^ b;
	case BIN_XCHG: return b;
	case BIN_NAND: return ~(a & b);
	case BIN_MAX: return arith_extend(a, width) > arith_extend(b, width) ? a : b;
	case BIN_MIN: return arith_extend(a, width) < arith_extend(b, width) ? a : b;
	case BIN_UMAX: return MAX(a, b);
	case BIN_UMIN: return MIN(a, b);
	default: return 0;
	}
}

bool
arith_is_division(u8 op)
{
	return op == BIN_UDIV || op == BIN_SDIV || op == BIN_UREM || op == BIN_SREM;
}

u64
arith_divide(BinOp op, u64 a, u64 b, u16 width)
{
	i64 x = arith_extend(a, width), y = arith_extend(b, width);

	if (op == BIN_UDIV)
		return a / b;
	if (op == BIN_UREM)
		return a % b;
	if (y == -1) /* the one quotient that overflows */
		return op == BIN_SDIV ? 0 - a : 0;
	return (u64)(op == BIN_SDIV ? x / y : x % y);
}
