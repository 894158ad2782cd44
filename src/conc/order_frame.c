/* order_frame.c - states, interned, and the frames that hold them. */
#include "conc/order_int.h"

#include <string.h>

OrderId
order_intern(Order *o, OrderState s)
{
	return intern_bytes(&o->states, &s, sizeof s);
}

OrderState
order_get(const Order *o, OrderId id)
{
	OrderState s;

	memcpy(&s, intern_get(&o->states, id), sizeof s);
	return s;
}

OrderId
order_join(Order *o, OrderId x, OrderId y)
{
	OrderState s, t;
	u32 *memo;
	OrderId id;

	if (x == y || !x || !y)
		return x ? x : y;
	memo = map_at(o->arena, &o->joins, map_pair(MIN(x, y), MAX(x, y)));
	if (*memo)
		return *memo;
	s = order_get(o, x);
	t = order_get(o, y);
	s.running = setpool_union(&o->sets, s.running, t.running);
	s.many = setpool_union(&o->sets, s.many, t.many);
	s.ended = setpool_meet(&o->sets, s.ended, t.ended);
	s.sent = setpool_union(&o->sets, s.sent, t.sent);
	id = order_intern(o, s);
	return *memo = id;
}

/* ---- frames -------------------------------------------------------------- */

/* Frames are solved in rounds, in each by rank: one that is behind the present
 * position has its turn in the next, once for all that it waits for.  When it is
 * due and nothing that it used has changed, it is passed over. */
static void
enqueue(Order *o, u32 frame, InstId inst)
{
	u64 rank = o->rank[inst];
	u64 round = o->round + (rank <= o->at ? 1 : 0);

	if (o->due.at[frame] & DUE_QUEUED)
		return;
	o->due.at[frame] |= DUE_QUEUED;
	assert(rank < 1u << ORDER_BITS && frame < 1u << ORDER_BITS);
	heap_push(&o->solving, &o->todo,
		  MIN(round, ORDER_ROUNDS) << 2 * ORDER_BITS | rank << ORDER_BITS | frame);
}

void
order_again(Order *o, u32 frame)
{
	o->due.at[frame] |= DUE_STALE;
	o->frames.at[frame].all = true;
	enqueue(o, frame, o->frames.at[frame].inst);
}

void
order_enqueue_all(Order *o, const Set *frames)
{
	SET_FOR (it, frames)
		order_again(o, it.x);
}

static u32
add_frame(Order *o, ThreadId t, InstId inst, OrderId entry)
{
	Frame f = {.thread = t, .inst = inst, .entry = entry};

	f.in = arena_array(o->arena, OrderId, pta_fn(o->p, inst)->nblock + 1);
	f.used = arena_array(&o->solving, OrderUsed, pta_inst(o->p, inst)->nedge);
	f.dirty = arena_array(&o->solving, u64, pta_fn(o->p, inst)->nblock / 64 + 1);
	f.again = arena_array(&o->solving, u64, pta_fn(o->p, inst)->nblock / 64 + 1);
	vec_push(o->arena, &o->frames, f);
	vec_push(&o->solving, &o->due, DUE_STALE);
	enqueue(o, o->frames.n - 1, inst);
	return o->frames.n - 1;
}

static Group *
find_group(const Order *o, ThreadId t, InstId inst)
{
	u32 g = o->group_of[(size_t)t * o->p->insts.n + inst];

	return g ? &o->groups.at[g] : NULL;
}

static Group *
make_group(Order *o, ThreadId t, InstId inst)
{
	u32 *g = &o->group_of[(size_t)t * o->p->insts.n + inst];

	if (!*g) {
		*g = o->groups.n;
		vec_push(o->arena, &o->groups, (Group){0});
	}
	return &o->groups.at[*g];
}

/* Frames of g, by edge e, are due; those that have called the frame that has changed have to run
 * that block again. */
static void
wake(Order *o, const Group *g, const Edge *e)
{
	const Flow *flow = NULL;
	BlockId b = 0;

	for (u32 i = 0; i <= g->n; i++) {
		u32 frame = i < g->n ? g->frames[i] : g->wide_frame;
		if (!frame)
			continue;
		enqueue(o, frame, e->from);
		if (!(o->due.at[frame] & DUE_USES) || o->frames.at[frame].all)
			continue;
		if (!flow) {
			flow = flow_of(o->t->flows, pta_inst(o->p, e->from)->fn);
			b = cfg_block_of(o->ir, pta_fn(o->p, e->from), e->ins);
		}
		if (flow->rank[b])
			order_mark(flow, o->frames.at[frame].again, b);
	}
}

void
order_enqueue_users(Order *o, u32 frame)
{
	ThreadId t = o->frames.at[frame].thread;
	const Inst *in = pta_inst(o->p, o->frames.at[frame].inst);

	SET_FOR (it, &o->frames.at[frame].users)
		o->due.at[it.x] |= DUE_STALE | DUE_USES;
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &o->p->edges.at[o->p->callers.at[k]];
		const Group *g = e->fork ? NULL : find_group(o, t, e->from);

		if (g)
			wake(o, g, e);
	}
	SET_FOR (it, &o->frames.at[frame].users)
		o->due.at[it.x] &= (u8)~DUE_USES;
}

u32
order_find_frame(const Order *o, ThreadId t, InstId inst, OrderId entry)
{
	const Group *g = find_group(o, t, inst);

	for (u32 i = 0; g && i < g->n; i++)
		if (g->entry[i] == entry)
			return g->frames[i];
	return g ? g->wide_frame : 0;
}

/* How many entries of an instance may be told apart now? */
static u32
room(const Order *o)
{
	if (o->frames.n >= HUGE_FRAMES)
		return 0;
	return o->frames.n < MANY_FRAMES ? MAX_FRAMES : 1;
}

/* A state that covers all that thread t can be in by its own forks and those of its
 * descendants: what climbs step by step would enter every frame again for each step. */
static OrderId
widest(Order *o, ThreadId t)
{
	OrderState s = {0};

	if (o->widest[t])
		return o->widest[t];
	for (ThreadId x = 2; x < o->t->at.n; x++) {
		const Thread *th = thread_get(o->t, x);
		if (th->folded || th->adopted || (x != t && threads_within(o->t, t, x)))
			s.running = setpool_add(&o->sets, s.running, x);
	}
	s.many = s.running;
	for (u32 k = 1; k <= o->tokens.n; k++)
		s.sent = setpool_add(&o->sets, s.sent, k);
	return o->widest[t] = order_intern(o, s);
}

/* The frame for all entries of g that have none of their own, this one among them. */
static u32
widen(Order *o, ThreadId t, InstId inst, OrderId entry)
{
	Group *g = make_group(o, t, inst);
	OrderId wide = order_join(o, g->wide, entry);
	u32 frame = g->wide_frame;

	if (o->frames.n >= HUGE_FRAMES)
		wide = o->widest[t] = order_join(o, widest(o, t), wide);
	if (wide == g->wide)
		return frame;
	g->wide = wide;
	if (!frame)
		return g->wide_frame = add_frame(o, t, inst, wide);
	/* Its states only climb, so it goes on from those that it has. */
	o->frames.at[frame].entry = wide;
	o->frames.at[frame].seen = false;
	order_again(o, frame);
	return frame;
}

u32
order_need_frame(Order *o, ThreadId t, InstId inst, OrderId entry)
{
	Group *g = make_group(o, t, inst);
	u32 frame;

	for (u32 i = 0; i < g->n; i++)
		if (g->entry[i] == entry)
			return g->frames[i];
	if (g->n >= room(o))
		return widen(o, t, inst, entry);
	frame = add_frame(o, t, inst, entry);
	g->entry[g->n] = entry;
	g->frames[g->n++] = frame;
	return frame;
}

/* The frame of an entry stays the one, and knows its user already: one that stands for
 * several covers what it once did. */
u32
order_use(Order *o, const Edge *e, OrderId entry)
{
	const Frame *cur = &o->frames.at[o->cur];
	OrderUsed *used = &cur->used[e - &o->p->edges.at[pta_inst(o->p, cur->inst)->edge]];
	u32 frame;

	assert(e->from == cur->inst);
	if (used->frame && used->entry == entry)
		return used->frame;
	frame = order_need_frame(o, cur->thread, e->to, entry);
	set_add(&o->solving, &o->frames.at[frame].users, o->cur);
	*used = (OrderUsed){entry, frame};
	return frame;
}
