/* order.c - what may still be running (design: Order).
 *
 * Lattice: a state is (R, M, J); R and M grow and J shrinks at merges; 0 is
 * unreached, below all.  Threads are finite, so chains are.
 *
 * Transfer: a fork of x adds x to R, and to M if x may be running already.  A
 * join whose handle names exactly one thread removes it from R and M and adds
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

#include "conc/order_int.h"
#include "conc/sign.h"

#include <string.h>

enum { MAX_FRAMES = 8 }; /* per thread and instance, before entries merge */

typedef struct State {
	SetId running, many;
	SetId ended; /* threads, and tokens (from o->t->at.n on) whose signal has come */
	SetId sent;  /* tokens that this thread may have signalled */
} State;

typedef struct Frame {
	ThreadId thread;
	InstId inst;
	OrderId entry;
	OrderId *in;   /* [block] */
	bool *dirty;   /* [block]: its state has changed since it was run */
	OrderId exit;  /* at returns */
	OrderId raise; /* at uncaught throws */
	Set users;     /* frames that call it */
	bool queued;
} Frame;

/* The frames of one thread and instance. */
typedef struct Group {
	u32 frames[MAX_FRAMES];
	u32 n;
	OrderId wide; /* once full: covers every further entry */
	u32 wide_frame;
} Group;

struct Order {
	Arena *arena;
	const Threads *t;
	const Pta *p;
	const Ir *ir;
	Flows flows;
	SetPool sets;
	Intern states;
	Map joins;          /* memo of order_join */
	bool *moves;        /* [InstId] */
	Batches batches;
	Vec(Frame) frames;
	Vec(Group) groups;
	Map group_of;       /* (thread, inst) -> group */
	OrderId *start;     /* [ThreadId] */
	Tokens tokens;
	OrderId *end;       /* [ThreadId]: at all its exits */
	Set *end_users;     /* [ThreadId]: frames that join it */
	OrderId *sent;      /* [token]: the states in which it was signalled, united */
	Set *sent_users;    /* [token]: frames that wait for it */
	Set *forks;         /* [ThreadId]: states in which it was forked */
	VecU32 todo;
	bool *self;         /* [ThreadId]: two instances may overlap; set after solving */
	u32 cur;            /* the frame being solved, 0 after solving */
};

static bool overlaps_itself(const Order *o, ThreadId t);

static OrderId
intern_state(Order *o, State s)
{
	return intern_bytes(&o->states, &s, sizeof s);
}

static State
get(const Order *o, OrderId id)
{
	State s;

	memcpy(&s, intern_get(&o->states, id), sizeof s);
	return s;
}

OrderId
order_join(Order *o, OrderId x, OrderId y)
{
	State s, t;
	u32 *memo;
	OrderId id;

	if (x == y || !x || !y)
		return x ? x : y;
	memo = map_at(o->arena, &o->joins, map_pair(MIN(x, y), MAX(x, y)));
	if (*memo)
		return *memo;
	s = get(o, x);
	t = get(o, y);
	s.running = setpool_union(&o->sets, s.running, t.running);
	s.many = setpool_union(&o->sets, s.many, t.many);
	s.ended = setpool_meet(&o->sets, s.ended, t.ended);
	s.sent = setpool_union(&o->sets, s.sent, t.sent);
	id = intern_state(o, s);
	return *memo = id;
}

/* ---- frames -------------------------------------------------------------- */

static void
enqueue(Order *o, u32 frame)
{
	if (o->frames.at[frame].queued)
		return;
	o->frames.at[frame].queued = true;
	vec_push(o->arena, &o->todo, frame);
}

static void
enqueue_all(Order *o, const Set *frames)
{
	SET_FOR (it, frames)
		enqueue(o, it.x);
}

static u32
add_frame(Order *o, ThreadId t, InstId inst, OrderId entry)
{
	Frame f = {.thread = t, .inst = inst, .entry = entry};

	f.in = arena_array(o->arena, OrderId, pta_fn(o->p, inst)->nblock + 1);
	f.dirty = arena_array(o->arena, bool, pta_fn(o->p, inst)->nblock + 1);
	vec_push(o->arena, &o->frames, f);
	enqueue(o, o->frames.n - 1);
	return o->frames.n - 1;
}

static Group *
find_group(const Order *o, ThreadId t, InstId inst)
{
	u32 g = map_get(&o->group_of, map_pair(t, inst));

	return g ? &o->groups.at[g] : NULL;
}

static Group *
make_group(Order *o, ThreadId t, InstId inst)
{
	u32 *g = map_at(o->arena, &o->group_of, map_pair(t, inst));

	if (!*g) {
		*g = o->groups.n;
		vec_push(o->arena, &o->groups, (Group){0});
	}
	return &o->groups.at[*g];
}

/* The frame for an entry among those there are; 0 none. */
static u32
find_frame(const Order *o, const Group *g, OrderId entry)
{
	for (u32 i = 0; i < g->n; i++)
		if (o->frames.at[g->frames[i]].entry == entry)
			return g->frames[i];
	return g->wide_frame;
}

/* The frame for an entry, new if need be; its entry may be wider. */
static u32
need_frame(Order *o, ThreadId t, InstId inst, OrderId entry)
{
	Group *g = make_group(o, t, inst);
	OrderId wide;
	u32 frame;

	for (u32 i = 0; i < g->n; i++)
		if (o->frames.at[g->frames[i]].entry == entry)
			return g->frames[i];
	if (g->n < MAX_FRAMES) {
		frame = add_frame(o, t, inst, entry);
		g->frames[g->n++] = frame;
		return frame;
	}
	wide = order_join(o, g->wide, entry);
	if (wide != g->wide) {
		/* Users of the narrower frame must move to the wider one. */
		Set users = {0};
		if (g->wide_frame)
			set_copy(o->arena, &users, &o->frames.at[g->wide_frame].users);
		frame = add_frame(o, t, inst, wide);
		g = make_group(o, t, inst);
		g->wide = wide;
		g->wide_frame = frame;
		enqueue_all(o, &users);
	}
	return g->wide_frame;
}

/* ---- transfer ------------------------------------------------------------ */

static bool
in_batch(const Order *o, InstId inst, InsId fork)
{
	for (u32 i = 0; i < o->batches.n; i++)
		if (o->batches.at[i].fork == fork && o->batches.at[i].fork_inst == inst)
			return true;
	return false;
}

/* A child begins knowing what its creator knew to have ended. */
static void
begin_thread(Order *o, ThreadId x, OrderId creator)
{
	State s = {.ended = get(o, creator).ended};
	OrderId start = order_join(o, o->start[x], intern_state(o, s));

	set_add(o->arena, &o->forks[x], creator);
	if (start != o->start[x]) {
		o->start[x] = start;
		need_frame(o, x, thread_get(o->t, x)->start, start);
	}
}

static OrderId
step_fork(Order *o, ThreadId t, InstId inst, InsId ins, OrderId before)
{
	State s = get(o, before);
	bool batched = in_batch(o, inst, ins);
	u32 n;
	const Edge *e = pta_targets(o->p, inst, ins, &n);

	for (u32 i = 0; i < n; i++) {
		ThreadId x = threads_child(o->t, t, inst, ins, e[i].to);
		if (!e[i].fork || !x)
			continue;
		if (o->cur)
			begin_thread(o, x, before);
		if (!batched && set_has(setpool_get(&o->sets, s.running), x))
			s.many = setpool_add(&o->sets, s.many, x);
		s.running = setpool_add(&o->sets, s.running, x);
	}
	return intern_state(o, s);
}

/* Adds the threads that a handle may name; false if it may be anything else. */
static bool
named_threads(const Order *o, InstId inst, Val handle, Set *out)
{
	const Set *pts = pta_pts(o->p, inst, handle);

	SET_FOR (it, pts) {
		const Obj *obj = pta_obj(o->p, pta_slot(o->p, it.x)->obj);
		if (obj->kind != OBJ_THREAD)
			return false;
		for (ThreadId x = 2; x < o->t->at.n; x++) {
			const Thread *th = thread_get(o->t, x);
			if (th->fork == obj->ins && th->fork_inst == obj->inst)
				set_add(o->arena, out, x);
		}
	}
	return !set_empty(out);
}

/* The one of the named threads that is t's own and may be running; 0 if there
 * are several or it may run more than once at a time.  One that is not running
 * was never started or has been joined, and is not joined again. */
static ThreadId
only_running(const Order *o, ThreadId t, const Set *named, bool all_own, State s)
{
	ThreadId found = 0;

	SET_FOR (it, named) {
		const Thread *th = thread_get(o->t, it.x);
		if (th->parent != t && all_own)
			return 0;
		if (th->parent != t || !set_has(setpool_get(&o->sets, s.running), it.x))
			continue;
		if (found || th->folded || set_has(setpool_get(&o->sets, s.many), it.x))
			return 0;
		found = it.x;
	}
	return found;
}

/* The one thread that a join of handle by t waits for; 0 if that is not
 * certain.  Either the handle names one thread in all, or only threads of
 * this very t: it is unique and their only parent, or the handle is its own. */
static ThreadId
joined_thread(const Order *o, ThreadId t, InstId inst, Val handle, State s)
{
	Set named = {0};
	ThreadId x = 0;

	if (named_threads(o, inst, handle, &named)) {
		x = set_first(&named);
		if (set_count(&named) > 1 || !thread_get(o->t, x)->unique)
			x = 0;
		if (!x && thread_get(o->t, t)->unique)
			x = only_running(o, t, &named, true, s);
		if (!x && order_private(o->t, inst, handle))
			x = only_running(o, t, &named, false, s);
	}
	set_recycle(o->arena, &named);
	return x;
}

/* The state after x has ended. */
static OrderId
end_of(Order *o, ThreadId x, OrderId before)
{
	State s = get(o, before), e;

	if (o->cur)
		set_add(o->arena, &o->end_users[x], o->cur);
	if (!o->end[x])
		return 0; /* it never ends, as far as is known yet */
	e = get(o, o->end[x]);
	s.running = setpool_del(&o->sets, s.running, x);
	s.many = setpool_del(&o->sets, s.many, x);
	s.running = setpool_union(&o->sets, s.running, e.running);
	s.many = setpool_union(&o->sets, s.many, e.many);
	if (thread_get(o->t, x)->unique) {
		s.ended = setpool_add(&o->sets, s.ended, x);
		s.ended = setpool_union(&o->sets, s.ended, e.ended);
	}
	return intern_state(o, s);
}

static OrderId
step_join(Order *o, ThreadId t, InstId inst, const Ins *ins, OrderId before)
{
	ThreadId x = joined_thread(o, t, inst, ins_arg(o->ir, ins, 0), get(o, before));

	return x ? end_of(o, x, before) : before;
}

static OrderId
step_signal(Order *o, InstId inst, InsId ins, OrderId before)
{
	u32 k = tokens_find(&o->tokens, ins, inst);
	State s = get(o, before);
	OrderId all;

	if (!k)
		return before;
	all = order_join(o, o->sent[k], before);
	if (o->cur && all != o->sent[k]) {
		o->sent[k] = all;
		enqueue_all(o, &o->sent_users[k]);
	}
	s.sent = setpool_add(&o->sets, s.sent, k);
	return intern_state(o, s);
}

static OrderId
step_await(Order *o, InstId inst, const Ins *ins, OrderId before)
{
	u32 k = tokens_awaited(&o->tokens, o->p, inst, ins);
	State s = get(o, before);

	if (!k)
		return before;
	if (o->cur)
		set_add(o->arena, &o->sent_users[k], o->cur);
	if (!o->sent[k])
		return 0; /* nobody signals it, as far as is known yet */
	s.ended = setpool_add(&o->sets, s.ended, o->t->at.n + k);
	s.ended = setpool_union(&o->sets, s.ended, get(o, o->sent[k]).ended);
	return intern_state(o, s);
}

/* May the effect fail, so that only its result tells? */
static bool
conditional(const Ins *ins)
{
	return ins->flags & INS_TRY || (ins->cond && ins->cond != SIGN_ANY);
}

/* One call of each possible callee, united. */
static OrderId
call_once(Order *o, ThreadId t, InstId inst, InsId ins, OrderId before, OrderId *raise)
{
	u32 n;
	const Edge *e = pta_targets(o->p, inst, ins, &n);
	OrderId after = n ? 0 : before;

	for (u32 i = 0; i < n; i++) {
		u32 f;
		if (e[i].fork)
			continue;
		if (!o->moves[e[i].to]) {
			after = order_join(o, after, before);
			*raise = order_join(o, *raise, before);
			continue;
		}
		if (o->cur) {
			f = need_frame(o, t, e[i].to, before);
			set_add(o->arena, &o->frames.at[f].users, o->cur);
		} else {
			const Group *g = find_group(o, t, e[i].to);
			f = g ? find_frame(o, g, before) : 0;
		}
		after = order_join(o, after, o->frames.at[f].exit);
		*raise = order_join(o, *raise, o->frames.at[f].raise);
	}
	return after;
}

static OrderId
step_call(Order *o, ThreadId t, InstId inst, InsId id, OrderId before, OrderId *raise)
{
	const Ins *ins = ir_ins(o->ir, id);
	OrderId after = call_once(o, t, inst, id, before, raise);
	bool repeat = ins->op == OP_EXTERN || ins->sub == CALL_REPEAT;

	if (!repeat && !(ins->op == OP_CALL && ins->sub == CALL_MAYBE))
		return after;
	for (;;) {
		OrderId all = order_join(o, before, after);
		if (!repeat || all == before)
			return all;
		before = all;
		after = call_once(o, t, inst, id, before, raise);
	}
}

static OrderId
step(Order *o, ThreadId t, InstId inst, InsId id, OrderId s, OrderId *raise)
{
	const Ins *ins = ir_ins(o->ir, id);

	switch (ins->op) {
	case OP_FORK:
		return step_fork(o, t, inst, id, s);
	case OP_JOIN: /* one that may fail takes effect where its result says so */
		return conditional(ins) ? s : step_join(o, t, inst, ins, s);
	case OP_SIGNAL:
		return step_signal(o, inst, id, s);
	case OP_AWAIT:
		return conditional(ins) ? s : step_await(o, inst, ins, s);
	case OP_CALL:
	case OP_EXTERN:
		return step_call(o, t, inst, id, s, raise);
	default:
		return s;
	}
}

OrderId
order_step(Order *o, ThreadId t, InstId inst, InsId ins, OrderId before)
{
	OrderId raise = 0;

	if (!before || !o->moves[inst])
		return before;
	assert(!o->cur);
	return step(o, t, inst, ins, before, &raise);
}

/* ---- edges --------------------------------------------------------------- */

/* Applies the joins and waits that take effect only on this edge. */
static OrderId
try_join(Order *o, const Frame *f, const Fn *fn, const Block *b, u32 succ, OrderId s)
{
	SignFact facts[SIGN_FACTS];
	u32 n = sign_edge(o->ir, fn, b, succ, facts);

	for (u32 i = 0; i < n && s; i++) {
		InsId id = fn_reg(o->ir, fn, facts[i].reg)->def;
		const Ins *def = ir_ins(o->ir, id);
		if (!id || !def->cond || (facts[i].mask & ~(u32)def->cond))
			continue;
		if (def->op == OP_JOIN)
			s = step_join(o, f->thread, f->inst, def, s);
		else if (def->op == OP_AWAIT)
			s = step_await(o, f->inst, def, s);
	}
	return s;
}

/* Makes x many if it is running as its creating loop starts anew. */
static OrderId
enter_batch(Order *o, const Frame *f, const Batch *b, OrderId s)
{
	State st = get(o, s);
	u32 n;
	const Edge *e = pta_targets(o->p, b->fork_inst, b->fork, &n);

	for (u32 i = 0; i < n; i++) {
		ThreadId x = threads_child(o->t, f->thread, b->fork_inst, b->fork, e[i].to);
		if (x && set_has(setpool_get(&o->sets, st.running), x))
			st.many = setpool_add(&o->sets, st.many, x);
	}
	return intern_state(o, st);
}

/* All threads of the loop have been joined, unless an earlier batch of them
 * may still run. */
static OrderId
leave_batch(Order *o, const Frame *f, const Batch *b, OrderId s)
{
	u32 n;
	const Edge *e = pta_targets(o->p, b->fork_inst, b->fork, &n);

	for (u32 i = 0; i < n && s; i++) {
		ThreadId x = threads_child(o->t, f->thread, b->fork_inst, b->fork, e[i].to);
		if (x && !set_has(setpool_get(&o->sets, get(o, s).many), x))
			s = end_of(o, x, s);
	}
	return s;
}

static OrderId
along_edge(Order *o, const Frame *f, BlockId from, u32 succ, OrderId s)
{
	const Fn *fn = pta_fn(o->p, f->inst);
	const Block *b = fn_block(o->ir, fn, from);
	BlockId to = o->ir->succs.at[b->succ + succ];

	s = try_join(o, f, fn, b, succ, s);
	for (u32 i = 0; i < o->batches.n && s; i++) {
		const Batch *batch = &o->batches.at[i];
		if (batch->join_inst == f->inst && batch->join_head == from && batch->join_exit == to)
			s = leave_batch(o, f, batch, s);
		if (s && batch->fork_inst == f->inst && batch->fork_head == to &&
		    !set_has(&batch->fork_body, from))
			s = enter_batch(o, f, batch, s);
	}
	return s;
}

/* ---- solving ------------------------------------------------------------- */

static void
flow_to(Order *o, u32 frame, BlockId b, OrderId s, bool *again)
{
	OrderId *in = &o->frames.at[frame].in[b];
	OrderId all = order_join(o, *in, s);

	if (all != *in) {
		*in = all;
		o->frames.at[frame].dirty[b] = true;
		*again = true;
	}
}

static void
end_thread(Order *o, ThreadId t, OrderId s)
{
	OrderId all = order_join(o, o->end[t], s);

	if (all == o->end[t])
		return;
	o->end[t] = all;
	enqueue_all(o, &o->end_users[t]);
}

/* Runs a block from its entry state and hands the result to its successors
 * and to the frame's exits.  Frames may move: never keep a pointer. */
static void
run_block(Order *o, u32 frame, BlockId b, OrderId *exit, OrderId *raise_exit, bool *again)
{
	Frame f = o->frames.at[frame];
	const Fn *fn = pta_fn(o->p, f.inst);
	const Block *block = fn_block(o->ir, fn, b);
	OrderId s = f.in[b], raise = 0;

	for (u32 i = 0; i < block->nins && s; i++) {
		InsId id = block->ins + i;
		const Ins *ins = ir_ins(o->ir, id);
		OrderId thrown = 0;
		if (ins->op == OP_RET)
			*exit = order_join(o, *exit, s);
		if (ins->op == OP_TEXIT)
			end_thread(o, f.thread, s);
		if (ins->op == OP_THROW || ins->flags & INS_THROWS)
			raise = order_join(o, raise, s);
		s = step(o, f.thread, f.inst, id, s, &thrown);
		if (ins->flags & INS_THROWS)
			raise = order_join(o, raise, thrown);
	}
	if (block->exc && raise)
		flow_to(o, frame, block->exc, raise, again);
	else
		*raise_exit = order_join(o, *raise_exit, raise);
	for (u32 k = 0; k < block->nsucc && s; k++) {
		OrderId t = along_edge(o, &f, b, k, s);
		if (t)
			flow_to(o, frame, o->ir->succs.at[block->succ + k], t, again);
	}
}

static void
solve_frame(Order *o, u32 frame)
{
	Frame *f = &o->frames.at[frame];
	const Flow *flow = flow_of(&o->flows, pta_inst(o->p, f->inst)->fn);
	OrderId exit = 0, raise = 0;
	bool again = true;

	f->queued = false;
	f->in[1] = order_join(o, f->in[1], f->entry);
	/* A callee's or thread's exit has changed: any block may say more now. */
	for (u32 i = 0; i < flow->nrpo; i++)
		f->dirty[flow->rpo[i]] = f->in[flow->rpo[i]] != 0;
	while (again) {
		again = false;
		for (u32 i = 0; i < flow->nrpo; i++) {
			bool *dirty = &o->frames.at[frame].dirty[flow->rpo[i]];
			if (!*dirty)
				continue;
			*dirty = false;
			run_block(o, frame, flow->rpo[i], &exit, &raise, &again);
		}
	}
	f = &o->frames.at[frame];
	exit = order_join(o, f->exit, exit);
	raise = order_join(o, f->raise, raise);
	if (exit != f->exit || raise != f->raise) {
		f->exit = exit;
		f->raise = raise;
		enqueue_all(o, &f->users);
	}
	/* The frame of a thread's present start state also ends the thread. */
	if (f->inst == thread_get(o->t, f->thread)->start && f->entry == o->start[f->thread])
		end_thread(o, f->thread, order_join(o, exit, raise));
}

/* Marks the instances that fork or join, and their callers. */
static void
find_moves(Order *o)
{
	VecU32 todo = {0};

	for (InstId i = 1; i < o->p->insts.n; i++) {
		const Fn *fn = pta_fn(o->p, i);
		for (u32 k = fn->ins; k < fn->ins + fn->nins && !o->moves[i]; k++) {
			u8 op = ir_ins(o->ir, k)->op;
			o->moves[i] = op == OP_FORK || op == OP_JOIN || op == OP_TEXIT ||
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

Order *
order_solve(Arena *a, const Threads *t)
{
	Order *o = arena_new(a, Order);

	*o = (Order){.arena = a, .t = t, .p = t->pta, .ir = t->pta->ir};
	flows_init(&o->flows, a, o->ir);
	setpool_init(&o->sets, a);
	intern_init(&o->states, a);
	o->moves = arena_array(a, bool, o->p->insts.n);
	order_batches(t, a, &o->batches);
	o->start = arena_array(a, OrderId, t->at.n);
	o->end = arena_array(a, OrderId, t->at.n);
	o->end_users = arena_array(a, Set, t->at.n);
	o->forks = arena_array(a, Set, t->at.n);
	tokens_build(&o->tokens, t, &o->flows, a);
	o->sent = arena_array(a, OrderId, o->tokens.n + 1);
	o->sent_users = arena_array(a, Set, o->tokens.n + 1);
	vec_push(a, &o->frames, (Frame){0});
	vec_push(a, &o->groups, (Group){0});
	find_moves(o);
	o->start[1] = intern_state(o, (State){0});
	need_frame(o, 1, thread_get(t, 1)->start, o->start[1]);
	while (o->todo.n) {
		o->cur = o->todo.at[--o->todo.n];
		solve_frame(o, o->cur);
	}
	o->cur = 0;
	o->self = arena_array(a, bool, t->at.n);
	for (ThreadId x = 1; x < t->at.n; x++)
		o->self[x] = overlaps_itself(o, x);
	return o;
}

/* ---- answers ------------------------------------------------------------- */

bool
order_moves(const Order *o, InstId inst)
{
	return o->moves[inst];
}

OrderId
order_start(const Order *o, ThreadId t)
{
	return o->start[t];
}

OrderId
order_entry(const Order *o, ThreadId t, InstId inst, OrderId entry)
{
	const Group *g;
	u32 f;

	if (!o->moves[inst])
		return entry;
	g = find_group(o, t, inst);
	f = g ? find_frame(o, g, entry) : 0;
	return f ? o->frames.at[f].entry : 0;
}

OrderId
order_block(const Order *o, ThreadId t, InstId inst, OrderId entry, BlockId b)
{
	const Group *g;
	u32 f;

	if (!o->moves[inst])
		return entry;
	g = find_group(o, t, inst);
	f = g ? find_frame(o, g, entry) : 0;
	return f ? o->frames.at[f].in[b] : 0;
}

const Set *
order_running(const Order *o, OrderId p)
{
	return setpool_get(&o->sets, get(o, p).running);
}

const Set *
order_ended(const Order *o, OrderId p)
{
	return setpool_get(&o->sets, get(o, p).ended);
}

const Set *
order_forks(const Order *o, ThreadId t)
{
	return &o->forks[t];
}

/* Does R have u, or an ancestor of it below a? */
static bool
runs(const Order *o, const Set *running, ThreadId a, ThreadId u)
{
	for (; u != a && u; u = thread_get(o->t, u)->parent)
		if (set_has(running, u))
			return true;
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

/* Two instances of t overlap if some link of its chain runs more than once and
 * finds, at some fork of it, an earlier one or its descendants still running. */
static bool
overlaps_itself(const Order *o, ThreadId t)
{
	for (; thread_get(o->t, t)->parent; t = thread_get(o->t, t)->parent) {
		if (thread_get(o->t, t)->folded)
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

/* Is t, or what started it, running at some fork in a of the link towards u? */
static bool
forked_beside(const Order *o, ThreadId a, ThreadId u, ThreadId t)
{
	SET_FOR (it, &o->forks[branch(o, a, u)])
		if (runs(o, order_running(o, it.x), a, t))
			return true;
	return false;
}

/* Is a point of t in state p before a signal that has come in state q? */
static bool
signalled_before(const Order *o, ThreadId t, OrderId p, OrderId q)
{
	const Set *sent = setpool_get(&o->sets, get(o, p).sent);

	for (u32 k = 1; k <= o->tokens.n; k++)
		if (o->tokens.at[k].sender == t && !set_has(sent, k) && set_has(order_ended(o, q), o->t->at.n + k))
			return true;
	return false;
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
	if (o->t->bounded)
		return true; /* threads were folded into others: chains say little */
	a = threads_common(o->t, t, u);
	if (order_self_overlap(o, a))
		return true;
	if (a == t)
		return runs(o, order_running(o, p), a, u);
	if (a == u)
		return runs(o, order_running(o, q), a, t);
	return forked_beside(o, a, u, t) || forked_beside(o, a, t, u);
}
