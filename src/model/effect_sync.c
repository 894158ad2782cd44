/* effect_sync.c - the effects that synchronise: locks, threads, tasks, events, waits. */
#include "model/effect_int.h"

static void
emit_lock(Emit *e, const Effect *f, Op op)
{
	Val lock = effect_value(e, f->a);
	Ins *i = effect_ins(e, op, 1, &lock);

	if (op == OP_ACQUIRE)
		i->sub = f->sub;
	effect_cond(e, f);
}

/* A new thread runs a method of the object; the handle is kept at f->b. */
static void
fork_method(Emit *e, const Effect *f)
{
	Val handle = method_emit(e, f, true);

	if (f->b && handle)
		effect_keep(e, f->b, handle);
}

static void
emit_task(Emit *e, const Effect *f, TaskKind kind)
{
	Ir *ir = e->x->out;
	Val v = effect_value(e, f->a), w = f->b ? effect_value(e, f->b) : 0;
	Val args[] = {ir_const_int(ir, 32, f->kinds[0]), v, ir_const_int(ir, 32, f->kinds[1]), w};

	if (effect_is_null(e, v) && !f->result)
		return;
	effect_ins(e, OP_TASK, f->b && !effect_is_null(e, w) ? 4 : 2, args)->sub = kind;
}

/* By what the call's forks are known, and whether they take place. */
static void
emit_name(Emit *e, const Effect *f)
{
	u32 n = e->b->ir->ins.n;

	emit_task(e, f, TASK_NAME);
	e->named = e->b->ir->ins.n > n;
	if (e->named)
		effect_cond(e, f);
}

static void
emit_fork(Emit *e, const Effect *f)
{
	Vec(Val) args = {0};
	Arena *a = e->x->out->arena;
	Val start = effect_value(e, f->a), lock = f->c ? effect_value(e, f->c) : 0;
	bool locked = !effect_is_null(e, lock);
	Ins *i;

	if (!f->result && effect_is_null(e, start))
		return;
	vec_push(a, &args, f->b ? effect_value(e, f->b) : 0);
	if (f->in_turn || locked)
		vec_push(a, &args, 0);
	vec_push(a, &args, start);
	for (u32 k = 0; k < f->narg; k++)
		vec_push(a, &args, effect_value(e, f->args[k]));
	if (locked)
		vec_push(a, &args, lock);
	if (f->in_turn || locked)
		args.at[1] =
		    ir_const_fn(e->x->out, serial_fn(e, f, locked, args.n - 2, args.at + 2));
	i = effect_ins(e, OP_FORK, args.n, args.at);
	i->width = f->width ? f->width : effect_ptr_bits(e);
	i->flags |= f->try ? INS_TRY : 0;
	i->flags |= f->sub == CALL_REPEAT ? INS_REPEATS : 0;
	i->flags |= f->interrupts ? INS_INTERRUPTS : 0;
	if (f->handle)
		i->flags |= INS_HANDLE;
	if (f->named && e->named)
		i->flags |= INS_NAMED;
	effect_cond(e, f);
	/* The instruction's width is the handle's, also where it has a result. */
	if (!f->handle)
		e->b->ir->ins.at[e->b->ir->ins.n - 1].width =
		    f->width ? f->width : effect_ptr_bits(e);
	arena_recycle(a, args.at, args.cap * sizeof *args.at);
}

static void
join_to(Emit *e, const Effect *f, const Val args[2])
{
	Effect join = *f;

	join.result &= !f->fresh;
	effect_ins(e, OP_JOIN, args[1] && !effect_is_null(e, args[1]) ? 2 : 1, args);
	effect_cond(e, &join);
}

/* What the thread returns goes to an address, or through a cell to the result. */
static void
emit_join(Emit *e, const Effect *f)
{
	Val args[2] = {effect_value(e, f->a), f->b ? effect_value(e, f->b) : 0};

	if (f->fresh && e->dst && e->rt == RT_PTR) {
		Val n = ir_const_int(e->b->ir, effect_ptr_bits(e), e->x->out->ptr_bytes);
		args[1] = effect_new(e, OP_ALLOC, RT_PTR, effect_ptr_bits(e), 1, &n);
		e->b->ir->ins.at[e->b->ir->ins.n - 1].sub = ALLOC_STACK;
		join_to(e, f, args);
		effect_ins(e, OP_LOAD, 1, &args[1]);
		effect_define(e);
		return;
	}
	join_to(e, f, args);
}

static void
emit_event(Emit *e, const Effect *f, Op op)
{
	Val o[] = {effect_place(e, f->a), f->b ? effect_value(e, f->b) : 0};

	if (effect_is_null(e, o[0]))
		return;
	effect_ins(e, op, f->b ? 2 : 1, o)->sub = f->sub;
	if (op == OP_AWAIT)
		effect_cond(e, f);
}

static void
emit_wait(Emit *e, const Effect *f)
{
	Val c = effect_value(e, f->a), lock = effect_value(e, f->b);
	Ins *i;

	effect_ins(e, OP_RELEASE, 1, &lock)->cond = SIGN_ANY;
	i = effect_ins(e, OP_AWAIT, 1, &c);
	i->sub = EVENT_COND;
	i->flags |= INS_TRY;
	i->cond = SIGN_ANY;
	i = effect_ins(e, OP_ACQUIRE, 1, &lock);
	i->sub = LOCK_WRITE;
	i->cond = SIGN_ANY;
	if (!f->throws || (f->fact && e->x->holds[f->fact] != FACT_HOLDS))
		return;
	/* It throws when it has the lock again. */
	i = effect_ins(e, OP_AWAIT, 1, &c);
	i->sub = EVENT_COND;
	i->flags |= INS_TRY | INS_THROWS;
	i->cond = SIGN_ANY;
}

void
effect_emit_sync(Emit *e, const Effect *f)
{
	switch ((Verb)f->verb) {
	case VERB_ACQUIRE: emit_lock(e, f, OP_ACQUIRE); break;
	case VERB_RELEASE: emit_lock(e, f, OP_RELEASE); break;
	case VERB_FORK:
		if (f->method)
			fork_method(e, f);
		else
			emit_fork(e, f);
		break;
	case VERB_JOIN: emit_join(e, f); break;
	case VERB_NAME: emit_name(e, f); break;
	case VERB_FINISH: emit_task(e, f, TASK_FINISH); break;
	case VERB_CANCEL: emit_task(e, f, f->one ? TASK_CANCEL_ONE : TASK_CANCEL); break;
	case VERB_SIGNAL: emit_event(e, f, OP_SIGNAL); break;
	case VERB_AWAIT: emit_event(e, f, OP_AWAIT); break;
	case VERB_WAIT: emit_wait(e, f); break;
	default: assert(false);
	}
}

void
effect_emit_hold(Emit *e, bool acquire)
{
	const Effect *hold = e->rule->effects;

	assert(hold->verb == VERB_HOLD);
	emit_lock(e, hold, acquire ? OP_ACQUIRE : OP_RELEASE);
}
