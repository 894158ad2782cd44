/* use_made.c - calls on what another call has just made.
 *
 * `for (x : list)` asks the list for an iterator and works on that.  Where iterators of
 * different lists are not told apart they are one object; but each activation of the
 * program's function has one that the library made in the call before, so two threads cannot have
 * the same.  Followed is the value that the method is called on: it comes from a
 * call in the same function, all of whose targets that are known and give the object allocate
 * it, or call what does.  What is loaded on the way was made at another time, as
 * what a map gives by get.
 *
 * So it is with a collection that the function itself has just made, and with what the library made for that, if its
 * constructor was given no object that it could pass on to: others may get it later, but two that add
 * to one that each has made add to two. */
#include "race/race_int.h"

enum { DEEP = 4, TARGETS = 256 };

static bool makes(const Races *r, InstId inst, Val v, ObjId o, u32 depth);

static bool
may_be(const Races *r, InstId inst, Val v, ObjId o)
{
	SET_FOR (it, pta_pts(r->pta, inst, v))
		if (pta_slot(r->pta, it.x)->obj == o)
			return true;
	return false;
}

/* Does what the call returns, if it is o, come from an allocation within? */
static bool
call_makes(const Races *r, InstId inst, InsId call, ObjId o, u32 depth)
{
	u32 n = 0;
	const Edge *e = pta_targets(r->pta, inst, call, &n);

	for (u32 k = 0; k < n; k++) {
		const Fn *f = pta_fn(r->pta, e[k].to);
		if (f->flags & FN_UNKNOWN)
			continue;
		for (InsId i = f->ins; i < f->ins + f->nins; i++)
			if (ir_ins(r->ir, i)->op == OP_RET && ir_ins(r->ir, i)->narg &&
			    !makes(r, e[k].to, ins_arg(r->ir, ir_ins(r->ir, i), 0), o, depth))
				return false;
	}
	return n && n <= TARGETS;
}

static bool
makes(const Races *r, InstId inst, Val v, ObjId o, u32 depth)
{
	const Fn *f = pta_fn(r->pta, inst);
	InsId id = val_is_reg(v) ? fn_reg(r->ir, f, v)->def : 0;
	const Ins *i;

	if (!may_be(r, inst, v, o))
		return true;
	if (!id || depth > DEEP)
		return false;
	i = ir_ins(r->ir, id);
	switch (i->op) {
	case OP_ALLOC: return pta_obj(r->pta, o)->ins == id;
	case OP_COPY:
	case OP_FILTER: return makes(r, inst, ins_arg(r->ir, i, 0), o, depth + 1);
	case OP_CALL: return call_makes(r, inst, id, o, depth + 1);
	case OP_PHI:
		for (u32 a = 1; a < i->narg; a += 2)
			if (!makes(r, inst, ins_arg(r->ir, i, a), o, depth + 1))
				return false;
		return true;
	default: return false;
	}
}

/* The allocation, in the function of the use, that all of what v may be comes from; null: another. */
static const Ins *
allocation(const Races *r, InstId inst, Val v, InsId *at)
{
	const Fn *f = pta_fn(r->pta, inst);
	const Ins *i = NULL;

	do {
		*at = val_is_reg(v) ? fn_reg(r->ir, f, v)->def : 0;
		i = *at ? ir_ins(r->ir, *at) : NULL;
		v = i && i->narg ? ins_arg(r->ir, i, 0) : 0;
	} while (i && (i->op == OP_COPY || i->op == OP_FILTER));
	return i && i->op == OP_ALLOC ? i : NULL;
}

/* Is each constructor of the new object given numbers only? */
static bool
made_of_nothing(const Races *r, InstId inst, Val made)
{
	const Fn *f = pta_fn(r->pta, inst);

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		u32 n = 0;
		const Edge *e = NULL;
		if (i->op != OP_CALL || i->narg < 3 || ins_arg(r->ir, i, 1) != made)
			continue;
		e = pta_targets(r->pta, inst, id, &n);
		if (!n || !(pta_fn(r->pta, e->to)->flags & FN_CONSTRUCTOR))
			continue;
		for (u32 k = 2; k < i->narg; k++)
			if (!set_empty(pta_pts(r->pta, inst, ins_arg(r->ir, i, k))))
				return false;
	}
	return true;
}

/* Is o passed to the call beside what it is on? */
static bool
passes(const Races *r, const Use *x, ObjId o)
{
	const Ins *call = ir_ins(r->ir, x->call);

	for (u32 k = 2; k < call->narg; k++)
		if (may_be(r, x->inst, ins_arg(r->ir, call, k), o))
			return true;
	return false;
}

bool
use_just_made(const Races *r, const Use *x, Val on, ObjId o)
{
	InsId at = 0;
	const Ins *made = on ? allocation(r, x->inst, on, &at) : NULL;
	const Obj *obj = pta_obj(r->pta, o);

	if (!made || obj->kind != OBJ_HEAP)
		return false;
	if (obj->ins == at)
		return may_be(r, x->inst, on, o);
	return !passes(r, x, o) && pta_fn(r->pta, obj->inst)->flags & FN_LIBRARY &&
	       made_of_nothing(r, x->inst, made->dst);
}

bool
use_made(const Races *r, const Use *x, Val on, ObjId o)
{
	return on && may_be(r, x->inst, on, o) && makes(r, x->inst, on, o, 0);
}
