/* effect.c - turns the effects of a rule into instructions.
 *
 * Effects are straight-line code in the place of the call.  Exactly one
 * instruction defines the call's result: the effect that says so (`on`,
 * `return`, `allocate` ...), else a nondet behind the others.  Conditions on
 * the result's sign stay in that instruction's `cond`: a block is never split.
 * Effects on a null pointer did not take place and are left out. */
#include "model/effect_int.h"

#include <string.h>

enum { CHANNEL_BITS = 32, CHANNEL_BYTES = 4096 };

Val
effect_result(Emit *e)
{
	if (e->rt == RT_VOID && e->rule && e->rule->gives_address) {
		e->rt = RT_PTR;
		e->width = effect_ptr_bits(e);
	}
	if (e->rt == RT_VOID) {
		e->rt = RT_INT;
		e->width = 32;
	}
	if (!e->dst)
		e->dst = build_reg(e->b, e->rt, e->width);
	return e->dst;
}

void
effect_define(Emit *e)
{
	Val r = effect_result(e);

	assert(!e->defined);
	e->defined = true;
	effect_set_dst(&e->b->ir->ins.at[e->b->ir->ins.n - 1], r, e->rt, e->width);
}

/* The order that an effect says or finds in its argument; the weakest if that
 * is not known when we look. */
static u8
order_of(Emit *e, const Effect *f)
{
	static const u8 orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
				    ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST};
	const Const *c;
	Val v;

	if (!f->order_arg)
		return f->order;
	v = effect_value(e, f->order_arg);
	c = val_is_const(v) ? ir_const(e->b->ir, v) : NULL;
	if (c && c->kind == CONST_INT && c->num >= 0 && c->num < (i64)COUNT(orders))
		return orders[c->num];
	return ORDER_RELAXED;
}

void
effect_cond(Emit *e, const Effect *f)
{
	Ins *i = &e->b->ir->ins.at[e->b->ir->ins.n - 1];
	bool sure = f->checked && !e->checked;

	i->cond = sure ? SIGN_ANY : f->cond;
	if (f->try)
		i->flags |= INS_TRY;
	if (f->again)
		i->flags |= INS_RECURSIVE;
	if (f->now)
		i->flags |= INS_ONCE;
	if (f->throws && (!f->fact || e->x->holds[f->fact] == FACT_HOLDS))
		i->flags |= INS_THROWS;
	if (f->recursive && (!f->fact || e->x->holds[f->fact] == FACT_HOLDS))
		i->flags |= INS_RECURSIVE;
	else if (f->recursive && e->x->holds[f->fact] == FACT_NEVER)
		i->flags |= INS_ONCE;
	if (f->result && !e->defined && (e->dst || f->handle || i->cond != SIGN_ANY))
		effect_define(e);
}

/* ---- memory -------------------------------------------------------------- */

Val
effect_place(Emit *e, const Expr *x)
{
	Val v = effect_value(e, x);

	if (effect_type_of(e, v) != RT_INT)
		return v;
	if (val_is_const(v))
		return ir_const_null(e->b->ir);
	v = effect_new(e, OP_CAST, RT_PTR, effect_ptr_bits(e), 1, &v);
	e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = CAST_INTTOPTR;
	return v;
}

void
effect_keep(Emit *e, const Expr *at, Val v)
{
	Val to = effect_value(e, at);
	Ins *i;

	if (effect_is_null(e, to))
		return;
	i = effect_ins(e, OP_STORE, 2, (Val[]){to, v});
	i->width = effect_width_of(e, v) ? effect_width_of(e, v) : effect_ptr_bits(e);
	i->order = effect_kept_order(at);
}

static void
emit_write(Emit *e, Val address, Val n, u8 order)
{
	if (effect_is_null(e, address))
		return;
	effect_ins(e, OP_WRITEN, 2, (Val[]){address, n})->order = order;
}

static void
emit_on(Emit *e, const Effect *f, Op op)
{
	Val v = effect_value(e, f->a);

	if (op == OP_ASSUME || op == OP_DETACH || !effect_is_null(e, v))
		effect_ins(e, op, 1, &v)->sub = f->verb == VERB_STOP;
}

static void
emit_retain(Emit *e, const Effect *f)
{
	Val v = effect_value(e, f->a);

	if (!f->b) {
		if (!effect_is_null(e, v))
			effect_ins(e, OP_PUBLISH, 1, &v);
		return;
	}
	effect_keep(e, f->b, v);
}

static void
emit_access(Emit *e, const Effect *f)
{
	Val address = effect_value(e, f->a), n;

	if (effect_is_null(e, address))
		return;
	if (f->verb == VERB_WRITE) {
		n = effect_some_bytes(e, &f->size);
		emit_write(e, address, n, order_of(e, f));
		if (f->size.kind == SIZE_ITEM)
			e->b->ir->ins.at[e->b->ir->ins.n - 1].flags |= INS_ITEM;
		return;
	}
	n = effect_bytes(e, &f->size);
	effect_ins(e, OP_READN, n ? 2 : 1, (Val[]){address, n})->order = order_of(e, f);
}

/* Strings hold no pointers: copying one is reading here and writing there. */
static void
emit_copy(Emit *e, const Effect *f)
{
	Val from = effect_place(e, f->a), to = effect_place(e, f->b);

	if (effect_is_null(e, from) || effect_is_null(e, to))
		return;
	if (f->size.kind == SIZE_STRING) {
		effect_ins(e, OP_READN, 1, &from);
		emit_write(e, to, effect_nondet(e, RT_INT, effect_ptr_bits(e)), ORDER_PLAIN);
		return;
	}
	effect_ins(e, OP_BCOPY, 3, (Val[]){to, from, effect_some_bytes(e, &f->size)})->order =
	    order_of(e, f);
}

/* Fresh memory is unknown and pointer-free whether it was zeroed or not. */
static void
emit_allocate(Emit *e, const Effect *f)
{
	Val n = f->b ? effect_value(e, f->b) : effect_bytes(e, &f->size), to, v;
	Ins *i;

	if (!f->a && e->rt != RT_PTR && e->rt != RT_VOID)
		return; /* of a pattern of functions, one that gives a number */
	if (f->c) {
		e->made = effect_new(e, OP_ALLOC, RT_PTR, effect_ptr_bits(e), n ? 1 : 0, &n);
		e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = ALLOC_HEAP;
		e->other = f->c;
		return;
	}
	if (!f->a) {
		i = effect_ins(e, OP_ALLOC, n ? 1 : 0, &n);
		i->sub = f->b && n ? ALLOC_LIKE : ALLOC_HEAP;
		if (f->mapped)
			i->flags |= INS_MAPPED;
		if (f->text)
			i->aux = method_class_type(e->x, f->text);
		else if (!n)
			i->aux = unknown_result_type(e->x, e->callee);
		effect_define(e);
		return;
	}
	to = effect_value(e, f->a);
	if (effect_is_null(e, to) || (e->callee && e->rt != RT_PTR && !f->text))
		return;
	v = effect_new(e, OP_ALLOC, RT_PTR, effect_ptr_bits(e), n ? 1 : 0, &n);
	i = &e->b->ir->ins.at[e->b->ir->ins.n - 1];
	i->sub = ALLOC_HEAP;
	if (f->text)
		i->aux = method_class_type(e->x, f->text);
	else
		i->aux = n ? 0 : unknown_result_type(e->x, e->callee);
	i = effect_ins(e, OP_STORE, 2, (Val[]){to, v});
	i->width = effect_ptr_bits(e);
	i->order = effect_kept_order(f->a);
}

static void
keep_number(Emit *e, const Expr *at, Val number)
{
	Val to = at ? effect_value(e, at) : ir_const_null(e->b->ir);

	if (!effect_is_null(e, to))
		effect_ins(e, OP_STORE, 2, (Val[]){to, number})->width = CHANNEL_BITS;
}

/* What goes through a channel lies in an object; its number is the address, cut off. */
static void
emit_channel(Emit *e, const Effect *f)
{
	Val n = ir_const_int(e->b->ir, effect_ptr_bits(e), CHANNEL_BYTES);
	Val v = effect_new(e, OP_ALLOC, RT_PTR, effect_ptr_bits(e), 1, &n);

	e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = ALLOC_HEAP;
	if (f->result) {
		effect_ins(e, OP_CAST, 1, &v)->sub = CAST_PTRTOINT;
		effect_define(e);
		return;
	}
	v = effect_new(e, OP_CAST, RT_INT, CHANNEL_BITS, 1, &v);
	e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = CAST_PTRTOINT;
	keep_number(e, f->a, v);
	keep_number(e, f->b, v);
}

/* One of both: v where `which`, a predicate, holds between them, or either; without another, null. */
static void
choose(Emit *e, Val v, const Expr *other, u8 which)
{
	Val w = other ? effect_value(e, other) : ir_const_null(e->b->ir), c;

	if (which) {
		c = effect_new(e, OP_CMP, RT_INT, 1, 2, (Val[]){v, w});
		e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = which;
		e->b->ir->ins.at[e->b->ir->ins.n - 1].imm = effect_width_of(e, v);
	} else {
		c = effect_nondet(e, RT_INT, 1);
	}
	effect_ins(e, OP_SELECT, 3, (Val[]){c, v, w});
}

/* Zero in the copy of the process. */
static void
emit_duplicate(Emit *e)
{
	if (!e->dst)
		return;
	effect_ins(e, OP_NONDET, 0, NULL)->sub = NONDET_COPY;
	effect_define(e);
}

static void
emit_return(Emit *e, const Effect *f)
{
	Val v;

	if (!e->dst)
		return;
	if (f->a->kind == EXPR_ANY || f->a->kind == EXPR_SELF) {
		effect_ins(e, OP_NONDET, 0, NULL)->sub = f->a->kind == EXPR_SELF ? NONDET_SELF : 0;
	} else {
		v = effect_value(e, f->a);
		if (f->or_null || f->c)
			choose(e, v, f->c, f->which);
		else
			effect_ins(e, OP_COPY, 1, &v);
	}
	effect_define(e);
}

/* ---- calls, atomics, ends ------------------------------------------------- */

void
effect_emit_call(Emit *e, const Effect *f)
{
	Vec(Val) args = {0};
	Arena *a = e->x->out->arena;
	Val callee = effect_value(e, f->a);

	if (effect_is_null(e, callee))
		return;
	vec_push(a, &args, callee);
	for (u32 k = 0; k < f->narg; k++)
		vec_push(a, &args, effect_value(e, f->args[k]));
	effect_ins(e, OP_CALL, args.n, args.at)->sub = f->sub;
	if (f->result && e->dst)
		effect_define(e);
	arena_recycle(a, args.at, args.cap * sizeof *args.at);
}

/* The same by method; the result of what gives no address is unknown. */
static void
call_method(Emit *e, const Effect *f)
{
	Val v;

	if (effect_is_null(e, effect_value(e, f->a)))
		return;
	v = method_emit(e, f, false);
	if (f->b)
		effect_keep(e, f->b, v);
	if (f->result && e->dst && e->rt == RT_PTR) {
		effect_ins(e, OP_COPY, 1, &v);
		effect_define(e);
	}
}

/* The width of an atomic access with value v. */
static u16
atomic_width(Emit *e, const Effect *f, Val v)
{
	if (f->width)
		return f->width;
	if (v && effect_width_of(e, v))
		return effect_width_of(e, v);
	return e->width ? e->width : effect_ptr_bits(e);
}

/* The operand of an atomic access; a number takes the access's width. */
static Val
operand(Emit *e, const Expr *x, u16 width)
{
	if (x->kind == EXPR_NUM && width)
		return ir_const_int(e->b->ir, width, x->num);
	if (x->kind == EXPR_ANY && width)
		return effect_nondet(e, RT_INT, width);
	return effect_value(e, x);
}

static void
emit_load(Emit *e, const Effect *f)
{
	Val address = effect_value(e, f->a);

	effect_ins(e, OP_LOAD, 1, &address)->order = order_of(e, f);
	effect_define(e);
}

static void
emit_store(Emit *e, const Effect *f)
{
	Val address = effect_value(e, f->a), v = operand(e, f->b, f->width);
	u16 width = atomic_width(e, f, v);
	Ins *i = effect_ins(e, OP_STORE, 2, (Val[]){address, v});

	i->width = width;
	i->order = order_of(e, f);
}

/* The old value is the result itself, or goes to a register of its own from
 * which the result is computed. */
static void
emit_rmw(Emit *e, const Effect *f)
{
	Val address = effect_value(e, f->a), v = operand(e, f->b, f->width ? f->width : e->width),
	    old;
	u16 width = atomic_width(e, f, v);
	Ins *i;

	if (!f->fresh && e->dst) {
		i = effect_ins(e, OP_RMW, 2, (Val[]){address, v});
		i->sub = f->sub;
		i->order = order_of(e, f);
		effect_define(e);
		return;
	}
	old = effect_new(e, OP_RMW, RT_INT, width, 2, (Val[]){address, v});
	i = &e->b->ir->ins.at[e->b->ir->ins.n - 1];
	i->sub = f->sub;
	i->order = order_of(e, f);
	if (!e->dst)
		return;
	if (!f->is_zero) {
		effect_ins(e, OP_BIN, 2, (Val[]){old, v})->sub = f->sub;
		effect_define(e);
		return;
	}
	old = effect_new(e, OP_BIN, RT_INT, width, 2, (Val[]){old, v});
	e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = f->sub;
	i = effect_ins(e, OP_CMP, 2, (Val[]){old, ir_const_int(e->b->ir, width, 0)});
	i->sub = CMP_EQ;
	i->imm = width;
	effect_define(e);
}

/* An order that is an argument says nothing of an exchange that fails. */
static void
emit_cas(Emit *e, const Effect *f)
{
	Val args[3] = {effect_value(e, f->a), effect_value(e, f->b), effect_value(e, f->c)};
	u16 width = atomic_width(e, f, args[2]);
	u8 order = order_of(e, f), fails = f->order_arg ? FAIL_RELAXED : FAIL_SAME;
	Val old;
	Ins *i;

	if (!f->fresh) {
		i = effect_ins(e, OP_CAS, 3, args);
		i->order = order;
		i->sub = fails;
		effect_define(e);
		return;
	}
	old = effect_new(e, OP_CAS, effect_type_of(e, args[2]), width, 3, args);
	e->b->ir->ins.at[e->b->ir->ins.n - 1].order = order;
	e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = fails;
	i = effect_ins(e, OP_CMP, 2, (Val[]){old, args[1]});
	i->sub = CMP_EQ;
	i->imm = width;
	effect_define(e);
}

/* A result that is unknown, but in some run says that the call has succeeded. */
static void
emit_success(Emit *e, const Effect *f)
{
	if (!e->dst || e->defined)
		return;
	effect_ins(e, OP_NONDET, 0, NULL)->cond = f->cond;
	effect_define(e);
}

static void
emit_end(Emit *e, const Effect *f)
{
	Val v = f->a ? effect_value(e, f->a) : 0;
	Op op = f->verb == VERB_THROW ? OP_THROW : f->thread ? OP_TEXIT : OP_EXIT;

	build_term(e->b, op, v ? 1 : 0, &v, 0, NULL)->flags = INS_MODEL;
	e->ended = true;
}

/* ---- rules --------------------------------------------------------------- */

static void
emit_effect(Emit *e, const Effect *f)
{
	switch ((Verb)f->verb) {
	case VERB_ACQUIRE:
	case VERB_RELEASE:
	case VERB_FORK:
	case VERB_JOIN:
	case VERB_NAME:
	case VERB_FINISH:
	case VERB_CANCEL:
	case VERB_SIGNAL:
	case VERB_AWAIT:
	case VERB_WAIT: effect_emit_sync(e, f); break;
	case VERB_DETACH:
	case VERB_STOP: emit_on(e, f, OP_DETACH); break;
	case VERB_PUBLISH: emit_on(e, f, OP_PUBLISH); break;
	case VERB_RETAIN: emit_retain(e, f); break;
	case VERB_FREE: emit_on(e, f, OP_FREE); break;
	case VERB_READ:
	case VERB_WRITE: emit_access(e, f); break;
	case VERB_COPY: emit_copy(e, f); break;
	case VERB_ALLOCATE: emit_allocate(e, f); break;
	case VERB_CHANNEL: emit_channel(e, f); break;
	case VERB_RETURN: emit_return(e, f); break;
	case VERB_CALL:
		if (f->at_end)
			apply_at_end(e->x, f, e->b->src);
		else if (f->method)
			call_method(e, f);
		else
			effect_emit_call(e, f);
		break;
	case VERB_KEEP: keep_emit(e, f); break;
	case VERB_RUN: keep_run(e, f); break;
	case VERB_LOAD: emit_load(e, f); break;
	case VERB_STORE: emit_store(e, f); break;
	case VERB_RMW: emit_rmw(e, f); break;
	case VERB_CAS: emit_cas(e, f); break;
	case VERB_DUPLICATE: emit_duplicate(e); break;
	case VERB_SUCCEEDS: emit_success(e, f); break;
	case VERB_UNWIND:
		effect_ins(e, OP_NONDET, 0, NULL)->sub = f->one ? NONDET_UNWOUND : NONDET_UNWIND;
		break;
	case VERB_WAITS: effect_ins(e, OP_NONDET, 0, NULL)->sub = NONDET_WAIT; break;
	case VERB_FENCE: effect_ins(e, OP_FENCE, 0, NULL)->order = order_of(e, f); break;
	case VERB_EXIT:
	case VERB_THROW: emit_end(e, f); break;
	case VERB_ASSUME: emit_on(e, f, OP_ASSUME); break;
	case VERB_ASSUMPTION: apply_assume(e->x, f->text, e->b->fn, e->b->src); break;
	case VERB_PROVE:
	case VERB_REFUTE: /* see fact.c */
	case VERB_NOTHING:
	case VERB_HOLD:
	case VERB_COUNT: break;
	}
}

static bool
is_listed(const Effect *f, const Const *c)
{
	for (u32 k = 0; c && c->kind == CONST_INT && k < f->nis; k++)
		if (c->num == f->is[k])
			return true;
	return false;
}

/* Says whether f's own condition on an argument or a fact rules it out. */
static bool
ruled_out(Emit *e, const Effect *f)
{
	const Const *c = NULL;

	if (f->when && (e->x->holds[f->when] == FACT_HOLDS) == f->unless)
		return true;
	if (f->given && val_is_const(effect_value(e, f->given)))
		c = ir_const(e->b->ir, effect_value(e, f->given));
	if (f->nis)
		return is_listed(f, c) == f->is_not;
	return c && (c->kind == CONST_NULL || (c->kind == CONST_INT && !c->num));
}

static bool
mentions_rest(const Expr *x)
{
	while (x && x->kind >= EXPR_DEREF)
		x = x->of;
	return x && x->kind == EXPR_REST;
}

static bool
is_each(const Effect *f)
{
	bool each = mentions_rest(f->a) || mentions_rest(f->b) || mentions_rest(f->c);

	for (u32 k = 0; k < f->narg; k++)
		each |= mentions_rest(f->args[k]);
	for (u32 k = 0; k < f->size.nfactor; k++)
		each |= mentions_rest(f->size.factor[k]);
	return each;
}

/* An effect on `...` takes place for each further argument that is a pointer. */
static void
emit_each(Emit *e, const Effect *f)
{
	for (u32 k = e->rule->nparam; k < e->narg; k++) {
		if (effect_type_of(e, e->args[k]) != RT_PTR)
			continue;
		e->rest = e->args[k];
		emit_effect(e, f);
	}
}

/* Makes the result unknown unless an effect has made it. */
static void
settle(Emit *e)
{
	if (!e->dst || e->defined || e->ended)
		return;
	if (e->made)
		choose(e, e->made, e->other, 0);
	else
		effect_ins(e, OP_NONDET, 0, NULL);
	effect_define(e);
}

void
effect_emit(Emit *e)
{
	if (e->rule->uses_result)
		(void)effect_result(e);
	for (const Effect *f = e->rule->effects; f; f = f->next) {
		if (ruled_out(e, f))
			continue;
		if (is_each(f))
			emit_each(e, f);
		else
			emit_effect(e, f);
		if (f->result && !e->made)
			settle(e); /* it may not have taken place */
	}
	settle(e);
}
