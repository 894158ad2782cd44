/* order_stop.c - threads that others may end.
 *
 *	worker: for (;;) { ...; nanosleep(...); }
 *	main: cancel(worker); join(worker); clean up
 *
 * A cancelled thread ends wherever it is: of what it has started all may be running still, nothing that it waited for has
 * certainly ended, and a join of it passes though its routine never returns.  The same holds for
 * all threads if a handler of a signal ends the thread that it interrupts. */
#include "conc/order_int.h"

/* The thread may end in any state of it. */
static void
may_stop(Order *o, ThreadId x)
{
	SetId below = o->below[thread_get(o->t, x)->start];

	o->end[x] = order_intern(o, (OrderState){.running = below, .many = below});
}

static void
all_may_stop(Order *o)
{
	for (ThreadId x = 1; x < o->t->at.n; x++)
		may_stop(o, x);
}

static bool
has_op(const Order *o, InstId inst, Op op)
{
	const Fn *fn = pta_fn(o->p, inst);

	for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
		if (ir_ins(o->ir, id)->op == op)
			return true;
	return false;
}

/* Does the thread, a handler, end the one that it interrupts? */
static bool
ends_other(const Order *o, ThreadId x)
{
	const Thread *t = thread_get(o->t, x);

	if (!(ir_ins(o->ir, t->fork)->flags & INS_INTERRUPTS))
		return false;
	SET_FOR (it, &o->t->insts[x])
		if (has_op(o, it.x, OP_TEXIT))
			return true;
	return false;
}

static void
stop_named(Order *o, InstId inst, const Ins *stop)
{
	Set named = {0};

	if (order_named(o, inst, ins_arg(o->ir, stop, 0), &named))
		SET_FOR (it, &named)
			may_stop(o, it.x);
	else
		all_may_stop(o);
	set_recycle(o->arena, &named);
}

static bool
is_stop(const Ins *i)
{
	return i->op == OP_DETACH && i->sub;
}

void
order_find_stopped(Order *o)
{
	const Acts *acts = &o->t->acts;
	bool stops = false;

	for (ThreadId x = 2; x < o->t->at.n; x++)
		if (ends_other(o, x)) {
			all_may_stop(o);
			return;
		}
	for (u32 k = 0; k < acts->ins.n && !stops; k++)
		stops = is_stop(ir_ins(o->ir, acts->ins.at[k]));
	for (InstId i = 1; i < o->p->insts.n && stops; i++) {
		u32 n;
		const InsId *at = acts_of(acts, pta_inst(o->p, i)->fn, &n);
		for (u32 k = 0; k < n; k++)
			if (is_stop(ir_ins(o->ir, at[k])))
				stop_named(o, i, ir_ins(o->ir, at[k]));
	}
}
