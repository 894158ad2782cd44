/* interleave_class.c - exceptions, virtual calls, class initialisers.
 *
 * An exception goes to the handler of the block that it comes from, or else
 * to that of the call, of a frame less; a thread that nothing catches it in
 * ends.  The end of an initialiser is a local step, as a lock's release is. */
#include "ir/cfg.h"
#include "ir/interleave_int.h"

#include <string.h>

/* ---- exceptions ---------------------------------------------------------- */

static BlockId
handler(Machine *m, u32 t)
{
	const Frame *f = top(m, t);

	return fn_block(m->ir, &m->ir->fns.at[f->fn], f->block)->exc;
}

/* Nothing in t catches it. */
static void
uncaught(Machine *m, u32 t)
{
	if (t == 0)
		exec_stop(m, t);
	else
		exec_end_thread(m, t);
}

void
class_raise(Machine *m, u32 t, u64 v)
{
	const Ins *call;
	BlockId to;

	while (!(to = handler(m, t))) {
		if (m->s.thread[t].depth == 1) {
			uncaught(m, t);
			return;
		}
		exec_pop(m, t);
		call = next_ins(m, t);
		if (call->op == OP_CINIT) {
			class_init_end(m, t, call, INIT_FAILED);
		} else if (!(call->flags & INS_THROWS)) {
			exec_stop(m, t); /* it said that it would not */
			return;
		}
	}
	m->s.thread[t].raised = v;
	exec_jump(m, t, to);
}

void
class_fail(Machine *m, u32 t, const Ins *i)
{
	if (ins_may_throw(i))
		class_raise(m, t, 0);
	else
		exec_stop(m, t);
}

/* ---- classes ------------------------------------------------------------- */

static ClassId
class_at(Machine *m, u64 v)
{
	const Object *o = object_at(m, v, 0);

	return o ? class_of_type(&m->classes, o->type) : 0;
}

FnId
class_dispatch(Machine *m, const Ins *i, u64 named, u64 receiver)
{
	ClassId c = class_at(m, receiver);
	FnId f = c ? class_method(m->ir, c, i->aux) : 0;

	if (!object_at(m, receiver, 0))
		return 0;
	return f ? f : exec_callee(m, named);
}

void
class_filter(Machine *m, u32 t, const Ins *i)
{
	u64 v = exec_arg(m, t, i, 0);
	bool is = v && class_within(m->ir, class_at(m, v), i->aux);

	if (i->sub == 1) {
		exec_set(m, t, i, is);
	} else if (v && !is && !i->sub) {
		class_fail(m, t, i);
		return;
	} else {
		exec_set(m, t, i, v);
	}
	exec_advance(m, t);
}

/* ---- initialisers -------------------------------------------------------- */

/* The place of class c in the table: its own, or where it would go. */
static u32
init_place(const State *s, ClassId c)
{
	u32 i = 0;

	while (i < s->n.ninit && s->init[i].class < c)
		i++;
	return i;
}

static ClassInit *
init_find(State *s, ClassId c)
{
	u32 i = init_place(s, c);

	return i < s->n.ninit && s->init[i].class == c ? &s->init[i] : NULL;
}

/* Over, or this thread's own: others cannot change what it does then. */
StepKind
class_init_kind(Machine *m, u32 t, const Ins *i)
{
	const ClassInit *x = init_find(&m->s, i->aux);

	if (!m->ir->classes.at[i->aux].cinit)
		return STEP_LOCAL;
	if (!x)
		return STEP_VISIBLE;
	if (x->status == INIT_RUNNING && x->owner != t)
		return STEP_BLOCKED;
	return m->limits->every_step ? STEP_VISIBLE : STEP_LOCAL;
}

static void
init_begin(Machine *m, u32 t, ClassId c)
{
	State *s = &m->s;
	u32 i = init_place(s, c);

	if (s->n.ninit == INITS) {
		machine_give_up(m, "too many classes");
		return;
	}
	memmove(s->init + i + 1, s->init + i, (s->n.ninit++ - i) * sizeof(ClassInit));
	s->init[i] = (ClassInit){.class = c, .status = INIT_RUNNING, .owner = (u8)t};
	exec_push(m, t, m->ir->classes.at[c].cinit, 0, NULL);
}

void
class_init(Machine *m, u32 t, const Ins *i)
{
	const ClassInit *x = init_find(&m->s, i->aux);
	FnId fn = m->ir->classes.at[i->aux].cinit;

	if (!fn || (x && x->status == INIT_RUNNING)) {
		exec_advance(m, t);
	} else if (!x && !m->ir->fns.at[fn].nblock) {
		machine_give_up(m, "a function without a body");
	} else if (!x) {
		init_begin(m, t, i->aux);
	} else {
		clock_join(&m->s.thread[t].clock, &x->clock);
		if (x->status == INIT_FAILED)
			class_raise(m, t, 0);
		else
			exec_advance(m, t);
	}
}

void
class_init_end(Machine *m, u32 t, const Ins *i, InitStatus status)
{
	ClassInit *x = init_find(&m->s, i->aux);

	x->status = (u8)status;
	x->owner = 0;
	x->clock = m->s.thread[t].clock;
	clock_tick(m, t);
	if (status == INIT_DONE)
		exec_advance(m, t);
}
