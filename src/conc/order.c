/* order.c - what may still be running (design: Order).
 *
 * Lattice: a state is (R, M, J); R and M grow and J shrinks at merges; 0 is
 * unreached, below all.  Threads are finite, so chains are.
 *
 * Transfer: a fork of x adds x to R, and to M if x may be running already.  A
 * join whose handle names exactly one thread (and, where joins of what was not
 * started pass, one that was) removes it from R and M and adds
 * what may still run at its exits; if it is unique, it and what it knew to
 * have ended enter J.  A semaphore that is posted at one place, once, is a
 * token (order_event.c): the wait for it adds it, and what its sender knew to
 * have ended, to J; a point of the sender before the post is then ordered
 * before it like a thread that has ended.  A call goes through the callee's frame: an instance
 * analysed for one thread and one entry state.  Instances that neither fork
 * nor join, themselves or below, have no frames.
 *
 * A frame is solved again when the exit of a frame or thread that it used has
 * changed; states only climb, frames per (thread, instance) are bounded, so
 * this ends.  Guarantee: R holds every thread started by this one that may be
 * running; J only such that have ended, on every run that gets there. */
#include "conc/order.h"

#include "base/graph.h"
#include "conc/order_int.h"

/* ---- solving ------------------------------------------------------------- */

static void
flow_to(Order *o, const Flow *flow, u32 frame, BlockId b, OrderId s)
{
	Frame *f = &o->frames.at[frame];
	OrderId all = order_join(o, f->in[b], s);

	if (all != f->in[b]) {
		f->in[b] = all;
		order_mark(flow, f->dirty, b);
	}
}

static void
end_thread(Order *o, ThreadId t, OrderId s)
{
	OrderId all = order_join(o, o->end[t], s);

	if (all == o->end[t])
		return;
	o->end[t] = all;
	order_enqueue_all(o, &o->end_users[t]);
}

/* Runs the instructions of a block that its plan lists, from state s.  What
 * may be thrown there is united into *raise. */
static OrderId
run_steps(Order *o, const OrderPlan *plan, const Frame *f, BlockId b, OrderId s, OrderId *exit,
	  OrderId *raise)
{
	for (u32 i = plan->first[b]; i < plan->first[b + 1] && s; i++) {
		const OrderStep *step = &plan->steps[i];
		OrderId thrown = 0;
		if (!step->ins) {
			*raise = order_join(o, *raise, s);
			continue;
		}
		if (step->op == OP_RET)
			*exit = order_join(o, *exit, s);
		if (step->op == OP_TEXIT)
			end_thread(o, f->thread, s);
		if (step->throws)
			*raise = order_join(o, *raise, s);
		s = step->once ? order_call(o, f->thread, step->target, step->ntarget, s, &thrown)
			       : order_transfer(o, f->thread, f->inst, step->ins, s, &thrown);
		if (step->passes)
			*raise = order_join(o, *raise, thrown);
	}
	return s;
}

/* Runs a block from its entry state and hands the result to its successors
 * and to the frame's exits.  Frames may move: never keep a pointer. */
static void
run_block(Order *o, const Flow *flow, const OrderPlan *plan, u32 frame, BlockId b, OrderId *exit,
	  OrderId *raise_exit)
{
	Frame f = o->frames.at[frame];
	const Block *block = fn_block(o->ir, pta_fn(o->p, f.inst), b);
	OrderId raise = 0, s = run_steps(o, plan, &f, b, f.in[b], exit, &raise);

	if (block->exc && raise)
		flow_to(o, flow, frame, block->exc, raise);
	else
		*raise_exit = order_join(o, *raise_exit, raise);
	for (u32 k = 0; k < block->nsucc && s; k++) {
		OrderId t = plan->edges ? order_edge(o, &f, b, k, s) : s;
		if (t && plan->nfirst)
			t = order_first(o, plan, flow, frame, b, k, t);
		if (t)
			flow_to(o, flow, frame, o->ir->succs.at[block->succ + k], t);
	}
}

/* The first dirty position from `from` on; n if there is none. */
static u32
next_dirty(const u64 *dirty, u32 n, u32 from)
{
	for (u32 w = from / 64; w * 64 < n; w++) {
		u64 left = w == from / 64 ? dirty[w] & ~(u64)0 << from % 64 : dirty[w];
		if (left)
			return w * 64 + (u32)__builtin_ctzll(left);
	}
	return n;
}

/* Runs the frame's dirty blocks in reverse postorder, again and again. */
static void
run_dirty(Order *o, const Flow *flow, u32 frame, OrderId *exit, OrderId *raise)
{
	const OrderPlan *plan = order_plan(o, o->frames.at[frame].inst);
	u64 *dirty = o->frames.at[frame].dirty;
	u32 from = 0;

	for (;;) {
		u32 at = next_dirty(dirty, flow->nrpo, from);
		if (at == flow->nrpo && !from)
			return;
		from = at + 1;
		if (at == flow->nrpo) {
			from = 0;
			continue;
		}
		dirty[at / 64] &= ~((u64)1 << at % 64);
		run_block(o, flow, plan, frame, flow->rpo[at], exit, raise);
	}
}

/* A callee's or thread's exit has changed: these blocks may say more now.  One that was not
 * reached yet will be run when it is. */
static void
take_again(const Flow *flow, const OrderPlan *plan, Frame *f)
{
	for (u32 i = 0; i < plan->nlive && f->all; i++)
		order_mark(flow, f->again, plan->live[i]);
	for (u32 at = 0; (at = next_dirty(f->again, flow->nrpo, at)) < flow->nrpo; at++)
		if (f->in[flow->rpo[at]])
			order_mark(flow, f->dirty, flow->rpo[at]);
	for (u32 w = 0; w * 64 < flow->nrpo; w++)
		f->again[w] = 0;
	f->all = false;
}

static void
solve_frame(Order *o, u32 frame)
{
	Frame *f = &o->frames.at[frame];
	const Flow *flow = flow_of(o->t->flows, pta_inst(o->p, f->inst)->fn);
	const OrderPlan *plan = order_plan(o, f->inst);
	OrderId exit = 0, raise = 0;

	o->due.at[frame] = 0;
	if (!f->seen && flow->nrpo)
		flow_to(o, flow, frame, 1, f->entry);
	f->seen = true;
	take_again(flow, plan, f);
	run_dirty(o, flow, frame, &exit, &raise);
	f = &o->frames.at[frame];
	exit = order_join(o, f->exit, exit);
	raise = order_join(o, f->raise, raise);
	if (exit != f->exit || raise != f->raise) {
		f->exit = exit;
		f->raise = raise;
		order_enqueue_users(o, (u32)(f - o->frames.at));
	}
	/* The frame of a thread's present start state, or that covers it, also ends the thread. */
	if (threads_starts(o->t, f->thread, f->inst) &&
	    frame == order_find_frame(o, f->thread, f->inst, o->start[f->thread]))
		end_thread(o, f->thread, order_join(o, exit, raise));
}

/* A callee that is solved before its caller goes on spares the caller to be
 * solved again for each call in it. */
void
order_solve_now(Order *o, u32 frame)
{
	u32 cur = o->cur;

	if (o->nested >= MAX_NESTED) {
		o->due.at[cur] |= DUE_STALE; /* its callee has yet to be solved */
		return;
	}
	o->nested++;
	o->cur = frame;
	solve_frame(o, frame);
	o->cur = cur;
	o->nested--;
}

/* Marks the instances that fork or join, and their callers. */
static void
find_moves(Order *o)
{
	VecU32 todo = {0};

	for (InstId i = 1; i < o->p->insts.n; i++) {
		u32 n;
		const InsId *at = acts_of(&o->t->acts, pta_inst(o->p, i)->fn, &n);
		for (u32 k = 0; k < n && !o->moves[i]; k++) {
			u8 op = ir_ins(o->ir, at[k])->op;
			o->moves[i] = op == OP_FORK || op == OP_JOIN || op == OP_TASK ||
				      op == OP_TEXIT ||
				      (o->tokens.n && (op == OP_SIGNAL || op == OP_AWAIT));
		}
		if (o->moves[i])
			vec_push(o->arena, &todo, i);
	}
	while (todo.n) {
		const Inst *in = pta_inst(o->p, todo.at[--todo.n]);
		for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
			const Edge *e = &o->p->edges.at[o->p->callers.at[k]];
			if (!e->fork && !o->moves[e->from]) {
				o->moves[e->from] = true;
				vec_push(o->arena, &todo, e->from);
			}
		}
	}
	/* A thread's start routine always has a frame: its exit ends the thread. */
	for (ThreadId t = 1; t < o->t->at.n; t++)
		o->moves[thread_get(o->t, t)->start] = true;
}

/* Frames are solved in this order, so that a caller waits for its callees. */
static void
rank_instances(Order *o)
{
	Arena scratch;
	Vec(Arc) arcs = {0};
	Graph g;
	Sccs sccs;

	o->rank = arena_array(o->arena, u32, o->p->insts.n);
	arena_init(&scratch, o->arena->budget);
	for (u32 k = 0; k < o->p->edges.n; k++)
		if (!o->p->edges.at[k].fork)
			vec_push(&scratch, &arcs,
				 (Arc){o->p->edges.at[k].from, o->p->edges.at[k].to});
	graph_build(&g, &scratch, o->p->insts.n, arcs.at, arcs.n);
	graph_sccs(&sccs, &scratch, &g);
	for (u32 k = 0; k < o->p->insts.n; k++)
		o->rank[sccs.nodes[k]] = k;
	order_find_below(o, &g, &sccs);
	arena_release(&scratch);
}

Order *
order_solve(Arena *a, const Threads *t)
{
	Order *o = arena_new(a, Order);

	*o = (Order){.arena = a, .t = t, .p = t->pta, .ir = t->pta->ir};
	arena_init(&o->solving, a->budget);
	setpool_init(&o->sets, a);
	intern_init(&o->states, a);
	o->moves = arena_array(a, bool, o->p->insts.n);
	o->plans = arena_array(a, OrderPlan *, o->p->insts.n);
	o->steady = steady_new(t, a);
	order_batches(t, o->steady, a, &o->batches, &o->taken, &o->likely);
	o->group_of = arena_array(a, u32, (size_t)t->at.n * o->p->insts.n);
	o->start = arena_array(a, OrderId, t->at.n);
	o->widest = arena_array(a, OrderId, t->at.n);
	o->end = arena_array(a, OrderId, t->at.n);
	o->end_users = arena_array(a, Set, t->at.n);
	o->forks = arena_array(a, Set, t->at.n);
	tokens_build(&o->tokens, t, a);
	o->sent = arena_array(a, OrderId, o->tokens.n + 1);
	o->sent_users = arena_array(a, Set, o->tokens.n + 1);
	vec_push(a, &o->frames, (Frame){0});
	vec_push(&o->solving, &o->due, 0);
	vec_push(a, &o->groups, (Group){0});
	find_moves(o);
	rank_instances(o);
	order_find_stored(o);
	order_find_nulls(o);
	order_find_stopped(o);
	o->start[1] = order_intern(o, (OrderState){0});
	order_need_frame(o, 1, thread_get(t, 1)->start, o->start[1]);
	while (o->todo.n) {
		u64 next = heap_pop(&o->todo);
		o->round = next >> 2 * ORDER_BITS;
		o->at = next >> ORDER_BITS & ((1u << ORDER_BITS) - 1);
		o->cur = next & ((1u << ORDER_BITS) - 1);
		if (o->due.at[o->cur] == (DUE_QUEUED | DUE_STALE))
			solve_frame(o, o->cur);
		else
			o->due.at[o->cur] &= (u8)~DUE_QUEUED;
	}
	o->cur = 0;
	arena_release(&o->solving);
	o->self = arena_array(a, bool, t->at.n);
	for (ThreadId x = 1; x < t->at.n; x++)
		o->self[x] = order_overlaps_itself(o, x);
	return o;
}

/* ---- answers ------------------------------------------------------------- */

bool
order_moves(const Order *o, InstId inst)
{
	return o->moves[inst];
}

static bool
has_point(const InstPoints *at, InstId inst, InsId ins)
{
	for (u32 i = 0; i < at->n; i++)
		if (at->at[i].inst == inst && at->at[i].ins == ins)
			return true;
	return false;
}

bool
order_takes_back(const Order *o, InstId inst, InsId join)
{
	return has_point(&o->taken, inst, join);
}

bool
order_joins_likely(const Order *o, InstId inst, InsId join)
{
	return has_point(&o->likely, inst, join);
}

OrderId
order_start(const Order *o, ThreadId t)
{
	return o->start[t];
}

OrderId
order_entry(const Order *o, ThreadId t, InstId inst, OrderId entry)
{
	u32 f;

	if (!o->moves[inst])
		return entry;
	f = order_find_frame(o, t, inst, entry);
	return f ? o->frames.at[f].entry : 0;
}

const OrderId *
order_blocks(const Order *o, ThreadId t, InstId inst, OrderId entry)
{
	u32 f = order_find_frame(o, t, inst, entry);

	return f ? o->frames.at[f].in : NULL;
}

OrderId
order_block(const Order *o, ThreadId t, InstId inst, OrderId entry, BlockId b)
{
	const OrderId *in;

	if (!o->moves[inst])
		return entry;
	in = order_blocks(o, t, inst, entry);
	return in ? in[b] : 0;
}

const u32 *
order_steps(Order *o, InstId inst, BlockId b, u32 *n)
{
	const OrderPlan *plan = order_plan(o, inst);

	*n = plan->first[b + 1] - plan->first[b];
	return plan->ins + plan->first[b];
}
