/* order_below.c - what a frame for several entries says of one of them.
 *
 * Where an instance is entered in more states than are told apart, one frame stands for
 * all of them (order_frame.c), and its exit has the threads that ran before any of its
 * calls.  But what runs behind a call ran before it, or was started in it, by itself or by
 * what the callee joined.  So of the frame's exit only this is kept for an entry e:
 *
 *	the threads of R and M that are in e's R, that an instance below the callee forks, or
 *	that descend from such a thread;
 *	those that stand for several forks (folded, adopted): who forks them is not asked.
 *
 * What had ended before the call has ended behind it, so e's J is added.  Both are monotone in the
 * exit and in e, so the analysis ends as before, and what it promises holds: R keeps
 * all that may run, J gets only what has ended.
 *
 * Which threads are forked below an instance is one pass over the components of the call
 * graph, callees first. */
#include "conc/order_int.h"

void
order_find_below(Order *o, const Graph *calls, const Sccs *sccs)
{
	SetId *below = o->below = arena_array(o->arena, SetId, o->p->insts.n);

	for (ThreadId x = 2; x < o->t->at.n; x++) {
		InstId at = thread_get(o->t, x)->fork_inst;
		below[at] = setpool_add(&o->sets, below[at], x);
	}
	for (u32 c = 0; c < sccs->n; c++) {
		SetId all = 0;
		for (u32 k = sccs->first[c]; k < sccs->first[c + 1]; k++) {
			all = setpool_union(&o->sets, all, below[sccs->nodes[k]]);
			GRAPH_FOR (to, calls, sccs->nodes[k])
				all = setpool_union(&o->sets, all, below[*to]);
		}
		for (u32 k = sccs->first[c]; k < sccs->first[c + 1]; k++)
			below[sccs->nodes[k]] = all;
	}
}

/* Those of `running` that may run behind a call: see above. */
static SetId
kept(Order *o, SetId running, SetId before, SetId below)
{
	SetId out = running;

	SET_FOR (it, setpool_get(&o->sets, running)) {
		const Thread *th = thread_get(o->t, it.x);
		ThreadId y = it.x;
		if (th->folded || th->adopted)
			continue;
		while (y && !set_has(setpool_get(&o->sets, before), y) &&
		       !set_has(setpool_get(&o->sets, below), y))
			y = thread_get(o->t, y)->parent;
		if (!y)
			out = setpool_del(&o->sets, out, it.x);
	}
	return out;
}

OrderId
order_of_entry(Order *o, u32 frame, OrderId exit, OrderId before)
{
	Frame f = o->frames.at[frame];
	OrderState s, e;

	if (!exit || f.entry == before)
		return exit;
	s = order_get(o, exit);
	e = order_get(o, before);
	s.running = kept(o, s.running, e.running, o->below[f.inst]);
	s.many = setpool_meet(&o->sets, s.many, s.running);
	s.ended = setpool_union(&o->sets, s.ended, e.ended);
	return order_intern(o, s);
}
