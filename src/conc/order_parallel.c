/* order_parallel.c - may two points run at once (design: Order)? */
#include "conc/order_int.h"

const Set *
order_running(const Order *o, OrderId p)
{
	return setpool_get(&o->sets, order_get(o, p).running);
}

const Set *
order_ended(const Order *o, OrderId p)
{
	return setpool_get(&o->sets, order_get(o, p).ended);
}

const Set *
order_forks(const Order *o, ThreadId t)
{
	return &o->forks[t];
}

bool
order_piles_up(const Order *o, ThreadId t)
{
	for (OrderId i = 1; i <= intern_count(&o->states); i++)
		if (set_has(setpool_get(&o->sets, order_get(o, i).many), t))
			return true;
	return false;
}

bool
order_rounds(const Order *o, ThreadId t, InstId inst, u32 k, Rounds *out)
{
	const Thread *th = thread_get(o->t, t);

	for (u32 i = 0; i < o->batches.n; i++) {
		const Batch *b = &o->batches.at[i];
		if (b->fork != th->fork || b->fork_inst != th->fork_inst || b->join_inst != inst ||
		    b->several || k--)
			continue;
		*out = (Rounds){b->join, b->fork_count, b->join_count};
		return true;
	}
	return false;
}

/* Does R have x or a descendant of it? */
static bool
runs_within(const Order *o, const Set *running, ThreadId x)
{
	SET_FOR (it, running)
		if (threads_within(o->t, x, it.x))
			return true;
	return false;
}

/* May the thread by this link run at once with others of it?  A handler only
 * where there is a second thread for it to interrupt. */
static bool
link_repeats(const Order *o, const Thread *link)
{
	u8 flags = ir_ins(o->ir, link->fork)->flags;

	if (!(flags & INS_REPEATS) || !(flags & INS_INTERRUPTS))
		return flags & INS_REPEATS;
	for (ThreadId x = 2; x < o->t->at.n; x++)
		if (!(ir_ins(o->ir, thread_get(o->t, x)->fork)->flags & INS_INTERRUPTS))
			return true;
	return false;
}

/* Does R have u, or an ancestor of it below a, or, where u or an ancestor is
 * adopted, one that may have started that? */
static bool
runs(const Order *o, const Set *running, ThreadId a, ThreadId u)
{
	for (; u != a && u; u = thread_get(o->t, u)->parent)
		if (set_has(running, u) || (thread_get(o->t, u)->adopted &&
					    runs_within(o, running, thread_get(o->t, u)->parent)))
			return true;
	return false;
}

bool
order_runs(const Order *o, ThreadId a, OrderId p, ThreadId u)
{
	return runs(o, order_running(o, p), a, u);
}

/* Two instances of t overlap if some link of its chain runs more than once and
 * finds, at some fork of it, an earlier one or its descendants still running. */
bool
order_overlaps_itself(const Order *o, ThreadId t)
{
	for (; !thread_get(o->t, t)->unique; t = thread_get(o->t, t)->parent) {
		if (thread_get(o->t, t)->folded || link_repeats(o, thread_get(o->t, t)))
			return true;
		if (thread_get(o->t, t)->once)
			continue;
		SET_FOR (it, &o->forks[t])
			if (runs_within(o, order_running(o, it.x), t))
				return true;
	}
	return false;
}

bool
order_self_overlap(const Order *o, ThreadId t)
{
	return o->self[t];
}

/* The child of a on the way to u. */
static ThreadId
branch(const Order *o, ThreadId a, ThreadId u)
{
	while (thread_get(o->t, u)->parent != a)
		u = thread_get(o->t, u)->parent;
	return u;
}

/* Is t, or what started it, running at some fork in a of the link towards u?
 * One that a's other children start as well is not only forked in a. */
static bool
forked_beside(const Order *o, ThreadId a, ThreadId u, ThreadId t)
{
	if (thread_get(o->t, branch(o, a, u))->adopted)
		return true;
	SET_FOR (it, &o->forks[branch(o, a, u)])
		if (runs(o, order_running(o, it.x), a, t))
			return true;
	return false;
}

/* Is a point of t in state p before a signal that has come in state q? */
static bool
signalled_before(const Order *o, ThreadId t, OrderId p, OrderId q)
{
	const Set *sent = setpool_get(&o->sets, order_get(o, p).sent);

	for (u32 k = 1; k <= o->tokens.n; k++)
		if (o->tokens.at[k].sender == t && !set_has(sent, k) &&
		    set_has(order_ended(o, q), o->t->at.n + k))
			return true;
	return false;
}

/* Is a point of t in state p one of main where nothing runs that it started? */
static bool
alone(const Order *o, ThreadId t, OrderId p)
{
	return t == 1 && set_empty(order_running(o, p));
}

bool
order_parallel(const Order *o, ThreadId t, OrderId p, ThreadId u, OrderId q)
{
	ThreadId a;

	if (signalled_before(o, t, p, q) || signalled_before(o, u, q, p))
		return false;

	if (set_has(order_ended(o, p), u) || set_has(order_ended(o, q), t))
		return false;
	if (t == u)
		return order_self_overlap(o, t);
	if (o->t->blurred || thread_get(o->t, t)->doubtful ||
	    thread_get(o->t, u)->doubtful) /* folded into others: chains say little */
		return !alone(o, t, p) && !alone(o, u, q);
	a = threads_common(o->t, t, u);
	if (order_self_overlap(o, a))
		return true;
	if (a == t)
		return runs(o, order_running(o, p), a, u);
	if (a == u)
		return runs(o, order_running(o, q), a, t);
	return forked_beside(o, a, u, t) || forked_beside(o, a, t, u);
}
