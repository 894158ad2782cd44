/* flag_value.c - numbers that are known where one register is.
 *
 * Constants, what is computed from them, a parameter that all calls give the
 * same constant, and what is computed from the one register whose value is
 * given.  Through no memory and no phi: what comes out is certain. */
#include "conc/flag_int.h"

#include "ir/arith.h"

enum { DEPTH = 12 };

typedef struct Eval {
	const Flags *f;
	Val obs;
	i64 row;
} Eval;

static bool number(const Eval *e, InstId inst, Val v, u32 depth, i64 *out);

static bool
constant(const Ir *ir, Val v, i64 *out)
{
	const Const *c = ir_const(ir, v);

	*out = c->kind == CONST_INT ? arith_extend((u64)c->num, c->width) : 0;
	return c->kind == CONST_INT || c->kind == CONST_NULL;
}

/* Which operand of a call or fork becomes parameter k, from 1; 0: unknown. */
static Val
argument(const Ir *ir, const Edge *e, u32 k)
{
	const Ins *ins = ir_ins(ir, e->ins);
	u32 at = ins->op == OP_CALL ? k : ins->op == OP_FORK ? k + 1 : UINT32_MAX;

	return at < ins->narg ? ins_arg(ir, ins, at) : 0;
}

static bool
parameter(const Eval *e, InstId inst, Val v, u32 depth, i64 *out)
{
	const Pta *p = e->f->p;
	const Inst *in = pta_inst(p, inst);
	Eval plain = {e->f, 0, 0};

	for (u32 i = 0; i < in->ncaller; i++) {
		const Edge *call = &p->edges.at[p->callers.at[in->caller + i]];
		Val arg = argument(p->ir, call, v);
		i64 n;
		if (!arg || !number(&plain, call->from, arg, depth + 1, &n) || (i && n != *out))
			return false;
		*out = n;
	}
	return in->ncaller > 0;
}

/* A test of the given register for 0, where all that is known is that it is not. */
static bool
not_null(const Eval *e, const Ins *ins, i64 *out)
{
	Val y = ins_arg(e->f->ir, ins, 1);
	i64 zero;

	if (ins->op != OP_CMP || (ins->sub != CMP_EQ && ins->sub != CMP_NE) || e->row != UNLISTED ||
	    ins_arg(e->f->ir, ins, 0) != e->obs || !val_is_const(y) ||
	    !constant(e->f->ir, y, &zero) || zero)
		return false;
	*out = ins->sub == CMP_NE;
	return true;
}

static bool
computed(const Eval *e, InstId inst, const Ins *ins, u32 depth, i64 *out)
{
	const Ir *ir = e->f->ir;
	i64 x, y = 0, z;

	if (ins->narg == 2 && not_null(e, ins, out))
		return true;
	if (!ins->narg || !number(e, inst, ins_arg(ir, ins, 0), depth + 1, &x))
		return false;
	if (ins->op == OP_COPY || (ins->op == OP_CAST && ins->sub != CAST_FLOAT)) {
		if (ins->op == OP_CAST && ins->sub == CAST_ZEXT)
			x = (i64)arith_mask((u64)x, (u16)ins->imm);
		*out = arith_extend((u64)x, ins->width);
		return true;
	}
	if (ins->op == OP_SELECT)
		return number(e, inst, ins_arg(ir, ins, x ? 1 : 2), depth + 1, out);
	if (ins->narg < 2 || !number(e, inst, ins_arg(ir, ins, 1), depth + 1, &y))
		return false;
	if (ins->op == OP_CMP && ins->sub != CMP_FLOAT) {
		*out = (i64)arith_compare(ins->sub, (u64)x, (u64)y, (u16)ins->imm);
		return true;
	}
	if (ins->op != OP_BIN || ins->sub == BIN_FLOAT || (arith_is_division(ins->sub) && !y))
		return false;
	x = (i64)arith_mask((u64)x, ins->width);
	z = (i64)arith_mask((u64)y, ins->width);
	*out = arith_extend(arith_is_division(ins->sub)
				? arith_divide(ins->sub, (u64)x, (u64)z, ins->width)
				: arith_combine(ins->sub, (u64)x, (u64)z, ins->width),
			    ins->width);
	return true;
}

static bool
number(const Eval *e, InstId inst, Val v, u32 depth, i64 *out)
{
	const Ir *ir = e->f->ir;
	const Fn *fn = pta_fn(e->f->p, inst);
	InsId def;

	if (!v || depth > DEPTH)
		return false;
	if (val_is_const(v))
		return constant(ir, v, out);
	if (v == e->obs) {
		*out = e->row;
		return e->row != UNLISTED;
	}
	if (v <= fn->nparam)
		return parameter(e, inst, v, depth, out);
	def = fn_reg(ir, fn, v)->def;
	switch (def ? ir_ins(ir, def)->op : OP_NONE) {
	case OP_COPY:
	case OP_CAST:
	case OP_CMP:
	case OP_BIN:
	case OP_SELECT: return computed(e, inst, ir_ins(ir, def), depth, out);
	default: return false;
	}
}

bool
flag_number(const Flags *f, InstId inst, Val v, Val obs, i64 row, i64 *out)
{
	const Eval e = {f, obs, row};

	return number(&e, inst, v, 0, out);
}
