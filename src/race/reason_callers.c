/* reason_callers.c - objects that the callers of a library own.
 *
 * The harness of an open program hands one object to every call that takes one of its
 * type.  A library that is made for that locks something: a lock in the object, or
 * one that the object leads to.  Where it never does, whatever function is
 * called, an object is meant for one call at a time: a place for results, a cursor,
 * what a caller fills in before.  That two calls share one is then the caller's mistake.
 *
 * An object is locked if the address of a lock that is acquired is computed from its
 * address: by offsets, at most LOADS loads, and what callers pass on.  The values
 * from which the locks are computed are followed back at the first question, each with
 * each number of loads once and MAX_VALUES in all; a pointer to more than MANY places tells
 * nothing of what is meant. */
#include "race/reason_int.h"

enum { LOADS = 2, MANY = 256, MAX_VALUES = 1 << 16 };

/* A value that the address of a lock is computed from. */
typedef struct Source {
	InstId inst;
	Val v;
	u32 loads;
} Source;

typedef struct Locked {
	const Races *r;
	Map seen; /* (instance, value) -> loads plus 1 */
	Vec(Source) work;
	u32 n;
	Set objs;
} Locked;

static void
follow(Locked *l, InstId inst, Val v, u32 loads)
{
	u32 *seen;

	v = root_of(l->r->ir, pta_fn(l->r->pta, inst), v);
	if (!val_is_reg(v) || loads > LOADS)
		return;
	seen = map_at(l->r->arena, &l->seen, map_pair(inst, v));
	if ((*seen && *seen <= loads + 1) || l->n >= MAX_VALUES)
		return;
	*seen = loads + 1;
	l->n++;
	vec_push(l->r->arena, &l->work, ((Source){inst, v, loads}));
}

static void
follow_callers(Locked *l, Source s)
{
	const Pta *p = l->r->pta;
	const Inst *i = &p->insts.at[s.inst];

	for (u32 k = 0; k < i->ncaller; k++) {
		const Edge *e = &p->edges.at[p->callers.at[i->caller + k]];
		const Ins *call = ir_ins(l->r->ir, e->ins);
		if (call->op == OP_CALL && s.v < call->narg)
			follow(l, e->from, ins_arg(l->r->ir, call, s.v), s.loads);
	}
}

static void
follow_back(Locked *l, Source s)
{
	const Ir *ir = l->r->ir;
	const Fn *f = pta_fn(l->r->pta, s.inst);
	const Set *pts = pta_pts(l->r->pta, s.inst, s.v);
	InsId id;
	const Ins *d = def_of(ir, f, s.v, &id);

	if (set_count(pts) <= MANY)
		SET_FOR (it, pts)
			set_add(l->r->arena, &l->objs, pta_slot(l->r->pta, it.x)->obj);
	if (s.v <= f->nparam)
		follow_callers(l, s);
	else if (d && d->op == OP_LOAD)
		follow(l, s.inst, ins_arg(ir, d, 0), s.loads + 1);
	else if (d && (d->op == OP_PHI || d->op == OP_SELECT))
		for (u32 k = 1; k < d->narg; k += 1 + (d->op == OP_PHI))
			follow(l, s.inst, ins_arg(ir, d, k), s.loads);
}

/* The objects that locks are reached from. */
static Set
find_locked(const Races *r)
{
	const Pta *p = r->pta;
	Locked l = {.r = r};

	for (InstId i = 1; i < p->insts.n; i++) {
		const Fn *f = pta_fn(p, i);
		for (InsId id = f->ins; id < f->ins + f->nins; id++)
			if (op_at(r, id) == OP_ACQUIRE)
				follow(&l, i, ins_arg(r->ir, ir_ins(r->ir, id), 0), 0);
	}
	while (l.work.n)
		follow_back(&l, l.work.at[--l.work.n]);
	return l.objs;
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
	const Races *r = rs->r;

	if (!rs->callers)
		rs->callers = arena_array(r->arena, u8, r->pta->objs.n + 1);
	if (rs->callers[o])
		return rs->callers[o] == 2;
	if (is_callers(r, o) && !rs->has_locked) {
		rs->locked = find_locked(r);
		rs->has_locked = true;
	}
	rs->callers[o] = 1 + (is_callers(r, o) && !set_has(&rs->locked, o));
	return rs->callers[o] == 2;
}
