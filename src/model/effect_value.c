/* effect_value.c - the values that effects speak of, as operands.
 *
 * Arguments, what cells of models and members of objects hold, and numbers of
 * bytes; instructions that compute them come where the effect is emitted. */
#include "model/effect_int.h"

u16
effect_ptr_bits(const Emit *e)
{
	return (u16)(e->x->out->ptr_bytes * 8);
}

Ins *
effect_ins(Emit *e, Op op, u32 narg, const Val *args)
{
	Ins *i = build_ins(e->b, op, narg, args);

	i->flags = INS_MODEL;
	return i;
}

Val
effect_set_dst(Ins *i, Val dst, RegType rt, u16 width)
{
	i->dst = dst;
	i->rt = (u8)rt;
	i->width = width;
	return dst;
}

Val
effect_new(Emit *e, Op op, RegType rt, u16 width, u32 narg, const Val *args)
{
	Val r = build_reg(e->b, rt, width);

	return effect_set_dst(effect_ins(e, op, narg, args), r, rt, width);
}

Val
effect_nondet(Emit *e, RegType rt, u16 width)
{
	return effect_new(e, OP_NONDET, rt, width, 0, NULL);
}

u16
effect_width_of(const Emit *e, Val v)
{
	const Ir *ir = e->b->ir;

	if (val_is_const(v))
		return ir_const(ir, v)->width;
	return v ? fn_reg(ir, &ir->fns.at[e->b->fn], v)->width : 0;
}

RegType
effect_type_of(const Emit *e, Val v)
{
	const Ir *ir = e->b->ir;

	if (val_is_const(v))
		return (RegType)ir_const(ir, v)->rt;
	return v ? (RegType)fn_reg(ir, &ir->fns.at[e->b->fn], v)->rt : RT_VOID;
}

bool
effect_is_null(const Emit *e, Val v)
{
	const Const *c = val_is_const(v) ? ir_const(e->b->ir, v) : NULL;

	return !v ||
	       (c && c->kind != CONST_GLOBAL && c->kind != CONST_FN && c->kind != CONST_CLASS);
}

static Val
cell_address(Emit *e, u32 cell)
{
	Apply *x = e->x;
	const Cell *c = &x->m->cells.at[cell];
	const char *name = intern_get(&x->m->names, c->name);

	if (!x->cells[cell])
		x->cells[cell] = apply_known_cell(x, name);
	if (!x->cells[cell]) {
		x->cells[cell] = x->out->globals.n;
		vec_push(x->out->arena, &x->out->globals,
			 (Global){.name = intern_str(
				      &x->out->strs,
				      arena_printf(x->out->arena, CELL_PREFIX "%s", name)),
				  .pretty = intern_str(&x->out->strs, c->pretty),
				  .size = c->size,
				  .linkage = LINK_INTERNAL,
				  .tls = c->thread});
	}
	return ir_const_global(x->out, x->cells[cell], 0);
}

bool
effect_in_cell(const Expr *x)
{
	while (x->kind == EXPR_PLUS || x->kind == EXPR_WORDS || x->kind == EXPR_INTO ||
	       x->kind == EXPR_PART)
		x = x->of;
	return x->kind == EXPR_CELL;
}

u8
effect_kept_order(const Expr *x)
{
	if (x->kind == EXPR_MEMBER)
		return ORDER_SEQ_CST;
	return effect_in_cell(x) ? ORDER_RELAXED : ORDER_PLAIN;
}

static Val
plus(Emit *e, Val v, i64 bytes)
{
	if (effect_is_null(e, v) || !bytes)
		return v;
	v = effect_new(e, OP_FIELD, RT_PTR, effect_ptr_bits(e), 1, &v);
	e->b->ir->ins.at[e->b->ir->ins.n - 1].imm = bytes;
	return v;
}

static Val
into(Emit *e, Val v, i64 stride)
{
	if (effect_is_null(e, v))
		return v;
	v = effect_new(e, OP_INDEX, RT_PTR, effect_ptr_bits(e), 2,
		       (Val[]){v, effect_nondet(e, RT_INT, effect_ptr_bits(e))});
	e->b->ir->ins.at[e->b->ir->ins.n - 1].imm = stride;
	return v;
}

/* A member of which the place is not known may be anywhere; one that is not there has no
 * address. */
static Val
part(Emit *e, Val v, u32 name)
{
	u32 at = part_find(e->x, name);

	if (at == PART_ABSENT)
		return ir_const_null(e->b->ir);
	return at >= PART_AT ? plus(e, v, at - PART_AT) : into(e, v, 1);
}

Val
effect_value(Emit *e, const Expr *x)
{
	Ir *ir = e->b->ir;
	Val v;

	switch ((ExprKind)x->kind) {
	case EXPR_PARAM: return e->args[x->num];
	case EXPR_REST: return e->rest;
	case EXPR_NUM: return ir_const_int(ir, effect_ptr_bits(e), x->num);
	case EXPR_NULL: return ir_const_null(ir);
	case EXPR_ANY: return effect_nondet(e, RT_INT, effect_ptr_bits(e));
	case EXPR_SELF:
		v = effect_nondet(e, RT_INT, effect_ptr_bits(e));
		ir->ins.at[ir->ins.n - 1].sub = NONDET_SELF;
		return v;
	case EXPR_RESULT: return e->made ? e->made : effect_result(e);
	case EXPR_CELL: return cell_address(e, (u32)x->num);
	case EXPR_DEREF:
		v = effect_value(e, x->of);
		if (effect_is_null(e, v))
			return ir_const_null(ir);
		v = effect_new(e, OP_LOAD, RT_PTR, effect_ptr_bits(e), 1, &v);
		ir->ins.at[ir->ins.n - 1].order = effect_kept_order(x->of);
		return v;
	case EXPR_INTO: return into(e, effect_value(e, x->of), x->num);
	case EXPR_PLUS: return plus(e, effect_value(e, x->of), x->num);
	case EXPR_WORDS: return plus(e, effect_value(e, x->of), x->num * e->x->out->ptr_bytes);
	case EXPR_PART: return part(e, effect_value(e, x->of), (u32)x->num);
	case EXPR_MEMBER:
		v = effect_value(e, x->of);
		if (effect_is_null(e, v))
			return v;
		v = effect_new(e, OP_FIELD, RT_PTR, effect_ptr_bits(e), 1, &v);
		ir->ins.at[ir->ins.n - 1].sub = 1;
		ir->ins.at[ir->ins.n - 1].aux =
		    method_field(e->x, intern_get(&e->x->m->names, (u32)x->num));
		return v;
	}
	assert(!"a kind of value");
	return 0;
}

/* v as an integer of the width of an address: sizes are multiplied so. */
static Val
widen(Emit *e, Val v)
{
	u16 width = effect_width_of(e, v), want = effect_ptr_bits(e);

	if (val_is_const(v)) {
		const Const *c = ir_const(e->b->ir, v);
		return c->kind == CONST_INT ? ir_const_int(e->b->ir, want, c->num)
					    : effect_nondet(e, RT_INT, want);
	}
	if (width == want || effect_type_of(e, v) != RT_INT)
		return v;
	v = effect_new(e, OP_CAST, RT_INT, want, 1, &v);
	e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = width < want ? CAST_ZEXT : CAST_TRUNC;
	e->b->ir->ins.at[e->b->ir->ins.n - 1].imm = width;
	return v;
}

static Val
multiply(Emit *e, Val v, Val w)
{
	Ir *ir = e->b->ir;
	Val r;
	i64 num;

	v = widen(e, v);
	w = widen(e, w);
	if (val_is_const(v) && val_is_const(w) &&
	    !__builtin_mul_overflow(ir_const(ir, v)->num, ir_const(ir, w)->num, &num))
		return ir_const_int(ir, effect_ptr_bits(e), num);
	r = effect_new(e, OP_BIN, RT_INT, effect_ptr_bits(e), 2, (Val[]){v, w});
	ir->ins.at[ir->ins.n - 1].sub = BIN_MUL;
	return r;
}

Val
effect_bytes(Emit *e, const Size *s)
{
	Val v;

	if (s->kind == SIZE_WORD)
		return ir_const_int(e->b->ir, effect_ptr_bits(e), e->x->out->ptr_bytes);
	if (s->kind != SIZE_PRODUCT)
		return 0;
	v = effect_value(e, s->factor[0]);
	for (u32 k = 1; k < s->nfactor; k++)
		v = multiply(e, v, effect_value(e, s->factor[k]));
	return v;
}

Val
effect_some_bytes(Emit *e, const Size *s)
{
	Val v = effect_bytes(e, s);

	return v ? v : effect_nondet(e, RT_INT, effect_ptr_bits(e));
}
