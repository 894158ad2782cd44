/* reason_callers.c - objects that the callers of a library own.
 *
 * The harness of an open program hands one object to every call that takes one of its
 * type.  A library that is made for that locks something: a lock in the object, or
 * one that the object leads to.  Where it never does, whatever function is
 * called, an object is meant for one call at a time: a place for results, a cursor,
 * what a caller fills in before.  That two calls share one is then the caller's mistake.
 *
 * An object is locked if a lock that some thread acquires lies in it, or in an object
 * that it points to, or that those point to: at most STEPS steps, each object once.
 * The locks are collected at the first question. */
#include "race/reason_int.h"

enum { STEPS = 2 };

static void
find_locks(Reasons *rs)
{
	const Races *r = rs->r;
	const Pta *p = r->pta;

	rs->callers = arena_array(r->arena, u8, p->objs.n + 1);
	for (InstId i = 1; i < p->insts.n; i++) {
		const Fn *f = pta_fn(p, i);
		for (InsId id = f->ins; id < f->ins + f->nins; id++) {
			const Ins *x = ir_ins(r->ir, id);
			if (x->op == OP_ACQUIRE)
				SET_FOR (it, pta_pts(p, i, ins_arg(r->ir, x, 0)))
					set_add(r->arena, &rs->locked, pta_slot(p, it.x)->obj);
		}
	}
}

/* The objects that those in from point to. */
static void
step(const Races *r, const Set *from, Set *to)
{
	Set held = {0};

	SET_FOR (it, from)
		pta_held(r->pta, it.x, r->arena, &held);
	SET_FOR (it, &held)
		set_add(r->arena, to, pta_slot(r->pta, it.x)->obj);
	set_recycle(r->arena, &held);
}

static bool
is_locked(Reasons *rs, ObjId o)
{
	const Races *r = rs->r;
	Set now = {0}, next;
	bool yes = set_has(&rs->locked, o);

	set_add(r->arena, &now, o);
	for (u32 k = 0; k < STEPS && !yes; k++) {
		next = (Set){0};
		step(r, &now, &next);
		set_recycle(r->arena, &now);
		now = next;
		yes = set_meets(&now, &rs->locked);
	}
	set_recycle(r->arena, &now);
	return yes;
}

/* Did the harness make it, which forks the callers, and is it no object of a class? */
static bool
is_callers(const Races *r, ObjId o)
{
	const Obj *x = pta_obj(r->pta, o);
	const Fn *f = x->kind == OBJ_HEAP ? pta_fn(r->pta, x->inst) : NULL;

	if (!f || !(f->flags & FN_SYNTHETIC) || r->ir->types.at[x->type].kind == TYPE_CLASS)
		return false;
	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_FORK)
			return true;
	return false;
}

bool
reason_callers(Reasons *rs, ObjId o)
{
	if (!rs->callers)
		find_locks(rs);
	if (!rs->callers[o])
		rs->callers[o] = 1 + (is_callers(rs->r, o) && !is_locked(rs, o));
	return rs->callers[o] == 2;
}
