/* use_made.c - calls on what another call has just made.
 *
 * `for (x : list)` asks the list for an iterator and works on that.  Where iterators of
 * different lists are not told apart they are one object; but each activation of the
 * program's function has one that the library made in the call before, so two threads cannot have
 * the same.  Followed is the value that the method is called on: it comes from a
 * call in the same function, all of whose targets that are known and give the object allocate
 * it, or call what does.  What is loaded on the way was made at another time, as
 * what a map gives by get. */
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

bool
use_made(const Races *r, const Use *x, Val on, ObjId o)
{
	return on && may_be(r, x->inst, on, o) && makes(r, x->inst, on, o, 0);
}
