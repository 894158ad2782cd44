/* definite.c - is a racing run certain to exist (Choi et al., Sections 3 and 6;
 * design: Definite)?
 *
 * Both accesses must touch one certain place, be inevitable for their threads,
 * and the threads inevitably started; then one thread can be parked at its
 * access while the other still arrives, if it needs no lock that the parked one
 * may hold.  A thread is a fork instance: two rounds of one loop count. */
#include "race/race.h"

#include "race/inevitable.h"

struct Definite {
	Arena *arena;
	const Conc *c;
	Inevitable *v;
};

struct Definite *
definite_new(Arena *a, const Conc *c)
{
	struct Definite *d = arena_new(a, struct Definite);

	*d = (struct Definite){.arena = a, .c = c, .v = inevitable_new(a, c)};
	return d;
}

/* The access certainly touches exactly this slot of one object. */
static bool
certain_place(const struct Definite *d, const Access *x, SlotId slot)
{
	const Set *pts = pta_pts(d->c->pta, x->inst, x->addr);
	const Slot *s = pta_slot(d->c->pta, slot);
	const Obj *o = pta_obj(d->c->pta, s->obj);

	if (ir_ins(d->c->ir, x->ins)->op == OP_FORK)
		return false; /* its thread is not there yet when it can still be parked */
	return set_count(pts) == 1 && set_first(pts) == slot && !s->stride && !o->folded && x->size &&
	       !(x->flags & ACC_FREE) && threads_single(d->c->threads, s->obj);
}

/* A compare-exchange that fails writes nothing. */
static bool
certain_write(const struct Definite *d, const Access *x)
{
	return x->flags & ACC_WRITE && ir_ins(d->c->ir, x->ins)->op != OP_CAS;
}

static bool
certain_overlap(const struct Definite *d, const Access *a, SlotId sa, const Access *b, SlotId sb)
{
	const Slot *x = pta_slot(d->c->pta, sa), *y = pta_slot(d->c->pta, sb);

	return x->obj == y->obj && x->off < y->off + (i64)b->size && y->off < x->off + (i64)a->size;
}

/* All locks on the way can certainly be had. */
static bool
locks_come(const struct Definite *d, const Arrival *a)
{
	SET_FOR (it, &a->acquired)
		if (!inevitable_lock(d->v, it.x))
			return false;
	return true;
}

/* The threads of the chain from below `top` to t are inevitably started; what
 * a parent may hold at the fork, the child does not need. */
static bool
started(const struct Definite *d, ThreadId top, ThreadId t, const Arrival *at)
{
	const Arrival *child = at;
	Arrival *up = arena_array(d->arena, Arrival, 1);

	while (t != top) {
		const Thread *th = thread_get(d->c->threads, t);
		if (!inevitable_arrival(d->v, th->parent, th->fork_inst, th->fork, up) ||
		    !locks_come(d, up) || set_meets(&up->open, &child->acquired))
			return false;
		child = up;
		up = arena_array(d->arena, Arrival, 1);
		t = th->parent;
	}
	return true;
}

/* The fork towards u is certain, and certainly before the access at `at`. */
static bool
forked_before(const struct Definite *d, ThreadId a, ThreadId u, const Arrival *at)
{
	Arrival fork;
	const Thread *th;

	while (thread_get(d->c->threads, u)->parent != a)
		u = thread_get(d->c->threads, u)->parent;
	th = thread_get(d->c->threads, u);
	return inevitable_arrival(d->v, a, th->fork_inst, th->fork, &fork) &&
	       inevitable_before(d->v, &fork, at);
}

/* Two instances of t: its fork certainly runs twice with nothing between. */
static bool
doubled(const struct Definite *d, ThreadId t)
{
	const Thread *th = thread_get(d->c->threads, t);
	Arrival fork;

	return th->parent && inevitable_arrival(d->v, th->parent, th->fork_inst, th->fork, &fork) &&
	       inevitable_twice(d->v, &fork);
}

bool
definite_pair(struct Definite *d, const Access *a, const Access *b, SlotId slot_a, SlotId slot_b)
{
	ThreadId top;
	Arrival x, y;

	if (!certain_place(d, a, slot_a) || !certain_place(d, b, slot_b) ||
	    !certain_overlap(d, a, slot_a, b, slot_b))
		return false;
	if (!certain_write(d, a) && !certain_write(d, b))
		return false;
	if (!inevitable_arrival(d->v, a->thread, a->inst, a->ins, &x) ||
	    !inevitable_arrival(d->v, b->thread, b->inst, b->ins, &y))
		return false;
	if (!locks_come(d, &x) || !locks_come(d, &y))
		return false;
	if (set_meets(&x.open, &y.acquired) && set_meets(&y.open, &x.acquired))
		return false;
	if (!started(d, 1, a->thread, &x) || !started(d, 1, b->thread, &y))
		return false;
	if (a->thread == b->thread)
		return doubled(d, a->thread);
	top = threads_common(d->c->threads, a->thread, b->thread);
	if (top == a->thread)
		return forked_before(d, top, b->thread, &x);
	if (top == b->thread)
		return forked_before(d, top, a->thread, &y);
	return true;
}
