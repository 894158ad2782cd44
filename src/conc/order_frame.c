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
enqueue(Order *o, u32 frame)
{
	u64 rank = o->rank[o->frames.at[frame].inst];
	u64 round = o->round + (rank <= o->at ? 1 : 0);

	if (o->frames.at[frame].queued)
		return;
	o->frames.at[frame].queued = true;
	assert(rank < 1u << ORDER_BITS && frame < 1u << ORDER_BITS);
	heap_push(o->arena, &o->todo,
		  MIN(round, ORDER_ROUNDS) << 2 * ORDER_BITS | rank << ORDER_BITS | frame);
}

void
order_enqueue_all(Order *o, const Set *frames)
{
	SET_FOR (it, frames) {
		o->frames.at[it.x].stale = true;
		enqueue(o, it.x);
	}
}

static u32
add_frame(Order *o, ThreadId t, InstId inst, OrderId entry)
{
	Frame f = {.thread = t, .inst = inst, .entry = entry, .stale = true};

	f.in = arena_array(o->arena, OrderId, pta_fn(o->p, inst)->nblock + 1);
	f.used = arena_array(o->arena, OrderUsed, pta_inst(o->p, inst)->nedge);
	f.dirty = arena_array(o->arena, u64, pta_fn(o->p, inst)->nblock / 64 + 1);
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

void
order_enqueue_users(Order *o, u32 frame)
{
	ThreadId t = o->frames.at[frame].thread;
	const Inst *in = pta_inst(o->p, o->frames.at[frame].inst);

	SET_FOR (it, &o->frames.at[frame].users)
		o->frames.at[it.x].stale = true;
	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &o->p->edges.at[o->p->callers.at[k]];
		const Group *g = e->fork ? NULL : find_group(o, t, e->from);

		for (u32 i = 0; g && i < g->n; i++)
			enqueue(o, g->frames[i]);
		if (g && g->wide_frame)
			enqueue(o, g->wide_frame);
	}
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

u32
order_need_frame(Order *o, ThreadId t, InstId inst, OrderId entry)
{
	Group *g = make_group(o, t, inst);
	OrderId wide;
	u32 frame;

	for (u32 i = 0; i < g->n; i++)
		if (g->entry[i] == entry)
			return g->frames[i];
	if (g->n < room(o)) {
		frame = add_frame(o, t, inst, entry);
		o->frames.at[frame].own = true;
		g->entry[g->n] = entry;
		g->frames[g->n++] = frame;
		return frame;
	}
	wide = order_join(o, g->wide, entry);
	if (o->frames.n >= HUGE_FRAMES)
		wide = o->widest[t] = order_join(o, o->widest[t], wide);
	if (wide != g->wide) {
		/* Users of the narrower frame must move to the wider one. */
		u32 narrow = g->wide_frame;
		frame = add_frame(o, t, inst, wide);
		g = make_group(o, t, inst);
		g->wide = wide;
		g->wide_frame = frame;
		if (narrow)
			order_enqueue_users(o, narrow);
	}
	return g->wide_frame;
}

/* One for just this entry stays the one, and knows its user already. */
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
	set_add(o->arena, &o->frames.at[frame].users, o->cur);
	if (o->frames.at[frame].own)
		*used = (OrderUsed){entry, frame};
	return frame;
}
