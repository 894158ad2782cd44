/* lower_arith.c - constants, numbers and comparisons.
 *
 * Numbers narrower than int exist only in arrays and conversions.  Floating
 * point is opaque: its operations are there, their results are not known. */
#include "jvm/lower_int.h"
#include "jvm/lower_op.h"

static const u8 kinds[] = {K_INT, K_LONG, K_FLOAT, K_DOUBLE};

static bool
is_float(Kind k)
{
	return k == K_FLOAT || k == K_DOUBLE;
}

static u16
width_of(Kind k)
{
	return k == K_LONG || k == K_DOUBLE ? 64 : 32;
}

static Val
bin(Lower *l, Kind k, BinOp op, Val x, Val y)
{
	Ins *i = emit_op(l, OP_BIN, 2, (Val[]){x, y});

	i->sub = (u8)(is_float(k) ? BIN_FLOAT : op);
	return emit_dst(l, i, is_float(k) ? RT_FLOAT : RT_INT, width_of(k));
}

static Val
cast(Lower *l, CastKind how, RegType rt, u16 from, u16 to, Val v)
{
	Ins *i = emit_op(l, OP_CAST, 1, &v);

	i->sub = (u8)how;
	i->imm = from;
	return emit_dst(l, i, rt, to);
}

static Val
compare(Lower *l, CmpPred p, u16 width, Val x, Val y)
{
	Ins *i = emit_op(l, OP_CMP, 2, (Val[]){x, y});

	i->sub = (u8)p;
	i->imm = width;
	return emit_dst(l, i, RT_INT, 1);
}

static Val
choose(Lower *l, Val c, Val x, Val y)
{
	return emit_dst(l, emit_op(l, OP_SELECT, 3, (Val[]){c, x, y}), RT_INT, 32);
}

static bool
is_nonzero(const Lower *l, Val v)
{
	return val_is_const(v) && ir_const(l->ir, v)->kind == CONST_INT &&
	       ir_const(l->ir, v)->num != 0;
}

/* ---- constants ---------------------------------------------------------- */

static void
push_opaque(Lower *l, Kind k)
{
	push(l, k, l->emit ? ir_const_opaque(l->ir) : 0);
}

static bool
constant_step(Lower *l, u8 op)
{
	const u8 *code = l->code.at + l->pc;

	if (op == J_ACONST_NULL)
		push(l, K_REF, k_null(l));
	else if (op <= J_ICONST_5)
		push(l, K_INT, k_int(l, op - J_ICONST_0));
	else if (op <= J_LCONST_1)
		push(l, K_LONG, k_long(l, op - J_LCONST_0));
	else if (op <= J_FCONST_2)
		push_opaque(l, K_FLOAT);
	else if (op <= J_DCONST_1)
		push_opaque(l, K_DOUBLE);
	else if (op == J_BIPUSH)
		push(l, K_INT, k_int(l, (signed char)code[1]));
	else if (op == J_SIPUSH)
		push(l, K_INT, k_int(l, code_s16(code + 1)));
	else
		memory_constant(l, op == J_LDC ? code[1] : code_u16(code + 1));
	return true;
}

/* ---- operators ---------------------------------------------------------- */

static void
binary(Lower *l, u8 op)
{
	static const u8 ops[] = {BIN_ADD, BIN_SUB, BIN_MUL, BIN_SDIV, BIN_SREM};
	Kind k = kinds[(op - J_IADD) % 4];
	BinOp how = ops[(op - J_IADD) / 4];
	Val y = pop(l, k), x = pop(l, k), v;
	bool divides = op >= J_IDIV && !is_float(k);

	/* In the first mode constants are not known, so a division by one has to
	 * count as throwing there and here. */
	if (divides)
		flow_raise(l);
	v = bin(l, k, how, x, y);
	if (divides && l->emit && !is_nonzero(l, y))
		l->ins.at[l->ins.n - 1].flags |= INS_THROWS;
	push(l, k, v);
}

static void
negate(Lower *l, u8 op)
{
	Kind k = kinds[op - J_INEG];
	Val v = pop(l, k);
	Val zero = k == K_INT ? k_int(l, 0) : k == K_LONG ? k_long(l, 0) : v;

	push(l, k, bin(l, k, BIN_SUB, zero, v));
}

/* The distance counts modulo the width. */
static void
shift(Lower *l, u8 op)
{
	static const u8 ops[] = {BIN_SHL, BIN_ASHR, BIN_LSHR};
	Kind k = kinds[(op - J_ISHL) % 2];
	Val by = pop(l, K_INT), x = pop(l, k);
	i64 mask = k == K_INT ? 31 : 63;

	if (l->emit && val_is_const(by) && ir_const(l->ir, by)->kind == CONST_INT) {
		by = ir_const_int(l->ir, width_of(k), ir_const(l->ir, by)->num & mask);
	} else {
		by = bin(l, K_INT, BIN_AND, by, k_int(l, mask));
		if (k == K_LONG)
			by = cast(l, CAST_ZEXT, RT_INT, 32, 64, by);
	}
	push(l, k, bin(l, k, ops[(op - J_ISHL) / 2], x, by));
}

static void
logic(Lower *l, u8 op)
{
	static const u8 ops[] = {BIN_AND, BIN_OR, BIN_XOR};
	Kind k = kinds[(op - J_IAND) % 2];
	Val y = pop(l, k), x = pop(l, k);

	push(l, k, bin(l, k, ops[(op - J_IAND) / 2], x, y));
}

/* ---- conversions -------------------------------------------------------- */

static void
narrow(Lower *l, u8 op)
{
	u16 width = op == J_I2B ? 8 : 16;
	Val v = cast(l, CAST_TRUNC, RT_INT, 32, width, pop(l, K_INT));

	push(l, K_INT, cast(l, op == J_I2C ? CAST_ZEXT : CAST_SEXT, RT_INT, width, 32, v));
}

static void
convert(Lower *l, u8 op)
{
	/* i2l i2f i2d, l2i l2f l2d, f2i f2l f2d, d2i d2l d2f */
	static const u8 to_of[] = {K_LONG, K_FLOAT, K_DOUBLE, K_INT, K_FLOAT, K_DOUBLE,
				   K_INT,  K_LONG,  K_DOUBLE, K_INT, K_LONG,  K_FLOAT};
	Kind from = kinds[(op - J_I2L) / 3], to = to_of[op - J_I2L];
	CastKind how = is_float(from) || is_float(to) ? CAST_FLOAT
		       : to == K_LONG                 ? CAST_SEXT
						      : CAST_TRUNC;
	Val v = pop(l, from);

	push(l, to,
	     cast(l, how, is_float(to) ? RT_FLOAT : RT_INT, width_of(from), width_of(to), v));
}

/* ---- comparisons -------------------------------------------------------- */

/* Compilers branch forwards on the contrary of what the source asks, over what is done if that
 * holds.  The condition of such a branch is what the source asks, and true where it falls through:
 * then a loop is left where its header's test fails, as in C. */
static CmpPred
predicate(const Lower *l, u32 branch, u8 first)
{
	static const u8 preds[] = {CMP_EQ, CMP_NE, CMP_SLT, CMP_SGE, CMP_SGT, CMP_SLE};
	u32 p = l->code.at[branch] - first;

	/* a predicate and its contrary are neighbours */
	return preds[arith_forwards(l, branch) ? p ^ 1 : p];
}

/* lcmp, fcmpl and so on, with the branch behind, if there is one: the value is
 * then the branch's condition, of kind K_INT and width 1. */
static bool
is_fused(const Lower *l)
{
	return l->next < l->nodes.at[l->node].end && l->code.at[l->next] >= J_IFEQ &&
	       l->code.at[l->next] <= J_IFLE;
}

static void
three_way(Lower *l, u8 op)
{
	Kind k = op == J_LCMP ? K_LONG : op <= J_FCMPG ? K_FLOAT : K_DOUBLE;
	Val y = pop(l, k), x = pop(l, k), v;

	if (is_fused(l)) {
		CmpPred p = predicate(l, l->next, J_IFEQ);
		v = compare(l, k == K_LONG ? p : CMP_FLOAT, width_of(k), x, y);
	} else if (k == K_LONG) {
		Val less = compare(l, CMP_SLT, 64, x, y);
		v = choose(l, less, k_int(l, -1), k_int(l, 0));
		v = choose(l, compare(l, CMP_SGT, 64, x, y), k_int(l, 1), v);
	} else {
		emit_op(l, OP_BIN, 2, (Val[]){x, y});
		v = emit_dst(l, l->emit ? &l->ins.at[l->ins.n - 1] : &l->sink, RT_INT, 32);
		if (l->emit)
			l->ins.at[l->ins.n - 1].sub = BIN_FLOAT;
	}
	push(l, K_INT, v);
}

bool
arith_forwards(const Lower *l, u32 branch)
{
	return branch + 3 <= l->code.n && code_s16(l->code.at + branch + 1) >= 0;
}

Val
arith_condition(Lower *l, u8 op)
{
	Val x, y;

	if (op == J_IFNULL || op == J_IFNONNULL) {
		x = pop_ref(l).v;
		return compare(l, predicate(l, l->pc, J_IFNULL), 64, x, k_null(l));
	}
	if (op >= J_IF_ACMPEQ) {
		y = pop_ref(l).v;
		x = pop_ref(l).v;
		return compare(l, predicate(l, l->pc, J_IF_ACMPEQ), 64, x, y);
	}
	if (op >= J_IF_ICMPEQ) {
		y = pop(l, K_INT);
		x = pop(l, K_INT);
		return compare(l, predicate(l, l->pc, J_IF_ICMPEQ), 32, x, y);
	}
	x = pop(l, K_INT);
	if (l->emit && val_is_reg(x) && l->regs.at[x].width == 1)
		return x; /* fused with the comparison before */
	return compare(l, predicate(l, l->pc, J_IFEQ), 32, x, k_int(l, 0));
}

bool
arith_step(Lower *l, u8 op)
{
	if (op >= J_ACONST_NULL && op <= J_LDC2_W)
		return constant_step(l, op);
	if (op < J_IADD || op > J_DCMPG)
		return false;
	if (op < J_INEG)
		binary(l, op);
	else if (op <= J_DNEG)
		negate(l, op);
	else if (op < J_IAND)
		shift(l, op);
	else if (op < J_IINC)
		logic(l, op);
	else if (op < J_I2B)
		convert(l, op);
	else if (op < J_LCMP)
		narrow(l, op);
	else
		three_way(l, op);
	return true;
}
