/* reason_others.c - who locks one object and works on another of its kind.
 *
 * Objects that are made at one place are one for points-to, so a method that
 * holds its own object's monitor and works on the object that it was given seems to hold
 * the lock of what it works on.  Here the function of the access takes such locks only on
 * one of its parameters, what it works on it has from another one or from a global
 * variable, and its callers hold none: it does not count as the owner's lock. */
#include "race/race_int.h"
#include "race/reason_int.h"

enum { LOADS = 8 };

/* The parameter by which f comes to v, by any loads; 0: a global variable; false: neither. */
static bool
given_by(const Ir *ir, const Fn *f, Val v, Val *param)
{
	for (u32 n = 0; n < LOADS; n++) {
		const Ins *def;
		InsId id;

		v = root_of(ir, f, v);
		*param = val_is_reg(v) && v <= f->nparam ? v : 0;
		if (*param || val_is_const(v))
			return v != 0;
		def = def_of(ir, f, v, &id);
		if (!def || (def->op != OP_LOAD && def->op != OP_FILTER && def->op != OP_COPY))
			return false;
		v = ins_arg(ir, def, 0);
	}
	return false;
}

static bool
may_be(const Races *r, InstId inst, Val v, ObjId o)
{
	SET_FOR (it, pta_pts(r->pta, inst, v))
		if (pta_slot(r->pta, it.x)->obj == o)
			return true;
	return false;
}

/* Are f's locks that may be o all taken on parameters other than one, and is there any? */
static bool
locks_others(const Races *r, InstId inst, Val param, ObjId o)
{
	const Fn *f = pta_fn(r->pta, inst);
	bool some = false;

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		Val on;

		if (i->op != OP_ACQUIRE || !may_be(r, inst, ins_arg(r->ir, i, 0), o))
			continue;
		if (!given_by(r->ir, f, ins_arg(r->ir, i, 0), &on) || !on || on == param)
			return false;
		some = true;
	}
	return some;
}

bool
reason_others(const Reasons *rs, u32 a, ObjId o)
{
	const Races *r = rs->r;
	const Access *x = access_at(r, a);
	const Ins *i = ir_ins(r->ir, x->ins);
	const Fn *f = pta_fn(r->pta, x->inst);
	u32 at = i->op == OP_STORE || i->op == OP_LOAD ? 0 : UINT32_MAX;
	Val param;

	return at < i->narg && f->class && given_by(r->ir, f, ins_arg(r->ir, i, at), &param) &&
	       locks_others(r, x->inst, param, o) && !site_locks_enters(r->site_locks, x->inst, o);
}
