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
	return set_single(pts) && set_first(pts) == slot && !s->stride && !o->folded && x->size &&
	       !(x->flags & (ACC_FREE | ACC_UPTO)) && threads_single(d->c->threads, s->obj);
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
	SET_FOR (it, &a->need.locks)
		if (!inevitable_lock(d->v, it.x))
			return false;
	return true;
}

static bool
fork_arrival(const struct Definite *d, ThreadId t, Arrival *out)
{
	const Thread *th = thread_get(d->c->threads, t);
	u32 n;

	if (ir_ins(d->c->ir, th->fork)->flags & INS_TRY)
		return false; /* perhaps only when others have ended */
	pta_targets(d->c->pta, th->fork_inst, th->fork, &n);
	if (n != 1)
		return false; /* perhaps another function is started */
	return inevitable_arrival(d->v, th->parent, th->fork_inst, th->fork, out);
}

/* The threads of the chain to t are inevitably started, and not only after
 * `other` has ended.  Locks that a parent holds at a fork come back: it is not
 * parked, and its critical sections end. */
static bool
started(const struct Definite *d, ThreadId t, ThreadId other)
{
	Arrival up;

	for (; t != 1; t = thread_get(d->c->threads, t)->parent)
		if (!fork_arrival(d, t, &up) || !locks_come(d, &up) ||
		    set_has(&up.need.ended, other))
			return false;
	return true;
}

/* Thread a is at x, and u, which a starts, is at y.  Either a comes to x first
 * and is parked there, and what lies on the way to y needs nothing that a
 * holds then; or u comes to y before a goes on behind the fork. */
static bool
meet_below(const struct Definite *d, ThreadId a, ThreadId u, const Arrival *x, const Arrival *y)
{
	Set needs = {0};
	Arrival fork;

	set_or(d->arena, &needs, &y->need.locks);
	for (;; u = thread_get(d->c->threads, u)->parent) {
		if (!fork_arrival(d, u, &fork))
			return false;
		if (thread_get(d->c->threads, u)->parent == a)
			break;
		set_or(d->arena, &needs, &fork.need.locks);
	}
	if (!inevitable_before(d->v, &fork, x))
		return false;
	return !set_meets(&x->open, &needs) ||
	       (!set_meets(&fork.open, &needs) && !set_meets(&y->open, &x->need.locks));
}

/* Two instances of t: its fork certainly runs twice with nothing between. */
static bool
doubled(const struct Definite *d, ThreadId t)
{
	Arrival fork;

	return t != 1 && fork_arrival(d, t, &fork) && inevitable_twice(d->v, &fork);
}

bool
definite_pair(struct Definite *d, const Access *a, const Access *b, SlotId slot_a, SlotId slot_b)
{
	ThreadId top;
	Arrival x, y;

	if (!certain_place(d, a, slot_a) || !certain_place(d, b, slot_b) ||
	    !certain_overlap(d, a, slot_a, b, slot_b))
		return false;
	if ((!certain_write(d, a) && !certain_write(d, b)) || !inevitable_touch(d->v, a) ||
	    !inevitable_touch(d->v, b))
		return false;
	if (!inevitable_arrival(d->v, a->thread, a->inst, a->ins, &x) ||
	    !inevitable_arrival(d->v, b->thread, b->inst, b->ins, &y))
		return false;
	if (!locks_come(d, &x) || !locks_come(d, &y))
		return false;
	if (set_has(&x.need.ended, b->thread) || set_has(&y.need.ended, a->thread) ||
	    !started(d, a->thread, b->thread) || !started(d, b->thread, a->thread))
		return false;
	top = threads_common(d->c->threads, a->thread, b->thread);
	if (a->thread != b->thread && top == a->thread)
		return meet_below(d, top, b->thread, &x, &y);
	if (a->thread != b->thread && top == b->thread)
		return meet_below(d, top, a->thread, &y, &x);
	if (set_meets(&x.open, &y.need.locks) && set_meets(&y.open, &x.need.locks))
		return false;
	return a->thread != b->thread || doubled(d, a->thread);
}
