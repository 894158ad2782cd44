/* sign.c - what the sign of a value says of those it was computed from.
 *
 * A branch knows that its condition is zero or not; through comparisons with
 * constants, conversions and logic that becomes the sign of a call's result,
 * on which the success of a trylock depends.  Definitions are followed to a
 * fixed depth, never through phis: those are handled where edges meet. */
#include "conc/sign.h"

enum { SIGN_DEPTH = 8 };

static u32
sign_num(i64 k)
{
	return k < 0 ? SIGN_NEG : k > 0 ? SIGN_POS : SIGN_ZERO;
}

u32
sign_of(const Ir *ir, Val v)
{
	const Const *c;

	if (!val_is_const(v))
		return SIGN_ANY;
	c = ir_const(ir, v);
	switch (c->kind) {
	case CONST_INT: return sign_num(c->num);
	case CONST_NULL: return SIGN_ZERO;
	case CONST_GLOBAL:
	case CONST_FN:
	case CONST_CLASS: return SIGN_NONZERO;
	default: return SIGN_ANY;
	}
}

/* Signs of the values in [lo, hi]. */
static u32
sign_range(i64 lo, i64 hi)
{
	if (lo > hi)
		return 0;
	return (lo < 0 ? SIGN_NEG : 0) | (lo <= 0 && hi >= 0 ? SIGN_ZERO : 0) |
	       (hi > 0 ? SIGN_POS : 0);
}

static u32
sign_below(i64 k) /* of the values less than k */
{
	return k == INT64_MIN ? 0 : sign_range(INT64_MIN, k - 1);
}

static u32
sign_above(i64 k)
{
	return k == INT64_MAX ? 0 : sign_range(k + 1, INT64_MAX);
}

/* Values less than k without sign: those from 0 on, if k is not negative. */
static u32
sign_below_unsigned(i64 k, bool truth)
{
	if (truth)
		return k < 0 ? SIGN_ANY : sign_range(0, k - 1);
	return k < 0 ? SIGN_NEG : SIGN_NEG | sign_range(k, INT64_MAX);
}

u32
sign_cmp(CmpPred pred, i64 k, bool truth)
{
	switch (pred) {
	case CMP_NE: return sign_cmp(CMP_EQ, k, !truth);
	case CMP_EQ: return truth ? sign_num(k) : k ? SIGN_ANY : SIGN_NONZERO;
	case CMP_SLT:
		return truth                ? sign_below(k)
		       : sign_below(k) == 0 ? SIGN_ANY
					    : sign_above(k) | sign_num(k);
	case CMP_SGE: return sign_cmp(CMP_SLT, k, !truth);
	case CMP_SGT: return truth ? sign_above(k) : sign_below(k) | sign_num(k);
	case CMP_SLE: return sign_cmp(CMP_SGT, k, !truth);
	case CMP_ULT: return sign_below_unsigned(k, truth);
	case CMP_UGE: return sign_below_unsigned(k, !truth);
	case CMP_ULE:
	case CMP_UGT:
		if (k == -1 || k == INT64_MAX)
			return SIGN_ANY;
		return sign_below_unsigned(k + 1, truth == (pred == CMP_ULE));
	default: return SIGN_ANY;
	}
}

typedef struct Follow {
	const Ir *ir;
	const Fn *fn;
	SignFact *out;
	u32 n;
} Follow;

static void follow(Follow *f, Val v, u32 mask, u32 depth);

/* Is v 0 or 1, so that its lowest bit says all? */
static bool
is_flag(const Follow *f, Val v, u32 depth)
{
	const Ins *ins;
	InsId def;

	if (val_is_const(v))
		return ir_const(f->ir, v)->kind == CONST_INT && (ir_const(f->ir, v)->num & ~1) == 0;
	def = v ? fn_reg(f->ir, f->fn, v)->def : 0;
	if (!def || depth > SIGN_DEPTH)
		return false;
	ins = ir_ins(f->ir, def);
	if (ins->op == OP_CAST && ins->sub == CAST_ZEXT)
		return ins->imm == 1 || is_flag(f, ins_arg(f->ir, ins, 0), depth + 1);
	if (ins->op == OP_COPY)
		return is_flag(f, ins_arg(f->ir, ins, 0), depth + 1);
	if (ins->op != OP_PHI)
		return false;
	for (u32 i = 1; i < ins->narg; i += 2)
		if (!is_flag(f, ins_arg(f->ir, ins, i), depth + 3))
			return false;
	return true;
}

static CmpPred
swap(CmpPred p)
{
	static const CmpPred with[] = {
	    [CMP_EQ] = CMP_EQ,   [CMP_NE] = CMP_NE,   [CMP_UGT] = CMP_ULT,    [CMP_UGE] = CMP_ULE,
	    [CMP_ULT] = CMP_UGT, [CMP_ULE] = CMP_UGE, [CMP_SGT] = CMP_SLT,    [CMP_SGE] = CMP_SLE,
	    [CMP_SLT] = CMP_SGT, [CMP_SLE] = CMP_SGE, [CMP_FLOAT] = CMP_FLOAT};

	return with[p];
}

static void
follow_cmp(Follow *f, const Ins *ins, bool truth, u32 depth)
{
	Val x = ins_arg(f->ir, ins, 0), k = ins_arg(f->ir, ins, 1);
	CmpPred pred = ins->sub;
	const Const *c;

	if (val_is_const(x)) {
		Val t = x;
		x = k;
		k = t;
		pred = swap(pred);
	}
	if (!val_is_reg(x) || !val_is_const(k))
		return;
	c = ir_const(f->ir, k);
	if (c->kind == CONST_INT || c->kind == CONST_NULL)
		follow(f, x, sign_cmp(pred, c->kind == CONST_NULL ? 0 : c->num, truth), depth);
}

static void
follow_cast(Follow *f, const Ins *ins, u32 mask, u32 depth)
{
	Val x = ins_arg(f->ir, ins, 0);

	if (ins->sub == CAST_SEXT)
		follow(f, x, mask, depth);
	else if (ins->sub == CAST_FLOAT)
		return;
	else if (!(mask & SIGN_ZERO))
		follow(f, x, SIGN_NONZERO, depth);
	else if (mask == SIGN_ZERO && (ins->sub != CAST_TRUNC || is_flag(f, x, 0)))
		follow(f, x, SIGN_ZERO, depth);
}

static void
follow_bin(Follow *f, const Ins *ins, u32 mask, u32 depth)
{
	Val x = ins_arg(f->ir, ins, 0), y = ins_arg(f->ir, ins, 1);
	bool truth = !(mask & SIGN_ZERO);

	if (ins->sub == BIN_XOR && ins->width == 1 && val_is_const(y) &&
	    sign_of(f->ir, y) != SIGN_ZERO) {
		follow(f, x, truth ? SIGN_ZERO : SIGN_NONZERO, depth);
	} else if (ins->sub == BIN_AND && truth) {
		follow(f, x, SIGN_NONZERO, depth);
		follow(f, y, SIGN_NONZERO, depth);
	} else if (ins->sub == BIN_OR && !truth) {
		follow(f, x, SIGN_ZERO, depth);
		follow(f, y, SIGN_ZERO, depth);
	}
}

/* Is the sign of what ins computes, either way, that of its operand? */
static bool
transparent(const Follow *f, const Ins *ins)
{
	Val y = ins->narg > 1 ? ins_arg(f->ir, ins, 1) : 0;

	switch (ins->op) {
	case OP_COPY: return true;
	case OP_CAST: return ins->sub != CAST_TRUNC && ins->sub != CAST_FLOAT;
	case OP_BIN: return ins->sub == BIN_XOR && ins->width == 1 && val_is_const(y);
	case OP_CMP:
		return (ins->sub == CMP_EQ || ins->sub == CMP_NE) && sign_of(f->ir, y) == SIGN_ZERO;
	default: return false;
	}
}

/* v's sign is in mask. */
static void
follow(Follow *f, Val v, u32 mask, u32 depth)
{
	const Ins *ins;
	InsId def;

	if (!val_is_reg(v) || mask == SIGN_ANY || depth > SIGN_DEPTH || f->n == SIGN_FACTS)
		return;
	def = fn_reg(f->ir, f->fn, v)->def;
	ins = ir_ins(f->ir, def);
	if (!def || !transparent(f, ins) || depth == SIGN_DEPTH)
		f->out[f->n++] = (SignFact){v, mask};
	if (!def)
		return;
	if (ins->op == OP_COPY)
		follow(f, ins_arg(f->ir, ins, 0), mask, depth + 1);
	else if (ins->op == OP_CAST)
		follow_cast(f, ins, mask, depth + 1);
	else if (ins->op == OP_CMP && (mask == SIGN_ZERO || !(mask & SIGN_ZERO)))
		follow_cmp(f, ins, mask != SIGN_ZERO, depth + 1);
	else if (ins->op == OP_BIN && (mask == SIGN_ZERO || !(mask & SIGN_ZERO)))
		follow_bin(f, ins, mask, depth + 1);
}

u32
sign_follow(const Ir *ir, const Fn *fn, Val v, u32 mask, SignFact out[SIGN_FACTS])
{
	Follow f = {ir, fn, out, 0};

	follow(&f, v, mask, 0);
	return f.n;
}

u32
sign_edge(const Ir *ir, const Fn *fn, const Block *b, u32 succ, SignFact out[SIGN_FACTS])
{
	const Ins *term = ir_ins(ir, b->ins + b->nins - 1);

	if (term->op != OP_CBR)
		return 0;
	return sign_follow(ir, fn, ins_arg(ir, term, 0), succ == 0 ? SIGN_NONZERO : SIGN_ZERO, out);
}
