/* reason_filled.c - objects that are made and filled in one critical section.
 *
 *	lock(m); if (!it) { it = make(); it->x = 1; } p = it; unlock(m); ... p->x
 *
 * Whoever finds the pointer under m finds the object filled: one side makes it
 * and writes to it without giving a lock back in between, and the other side's
 * pointer was loaded while a lock was held that excludes that one.  The load
 * may be in the function of the access, in one that returned the pointer, or
 * in one that passed it on; a bounded number of each is looked at. */
#include "race/reason_int.h"

/* Is a lock taken or given back by ins, or by what it may call? */
static bool
moves_locks(Reasons *rs, const Frame *at, InsId ins)
{
	u8 op = ir_ins(rs->r->ir, ins)->op;

	return op == OP_ACQUIRE || op == OP_RELEASE || reason_moves_locks(rs, at->inst, ins);
}

/* Was the address of the access there before `made` was carried out?  Then it is of something that
 * was made earlier: what realloc frees is not what it returns. */
static bool
is_older(const Races *r, const Access *a, FnId fn, InsId made)
{
	const Fn *f = &r->ir->fns.at[fn];
	Val v = root_of(r->ir, f, a->addr);
	InsId def = val_is_reg(v) ? fn_reg(r->ir, f, v)->def : 0;

	return val_is_reg(v) && (!def || (def != made && walk_dominates(r->walk, fn, def, made)));
}

/* Did the access's function make o, with the locks that are held at the access? */
static bool
fills(Reasons *rs, u32 access, ObjId o)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Frame at = {a->inst, a->ins};
	FnId fn = inst_fn(r, a->inst);
	const Fn *f = &r->ir->fns.at[fn];
	InsId made = 0;

	if (!locks_count(r->conc->locks, a->held) || pta_obj(r->pta, o)->kind != OBJ_HEAP)
		return false;
	for (InsId id = f->ins; id < f->ins + f->nins && !made; id++)
		if (id != a->ins &&
		    (id == pta_obj(r->pta, o)->ins || reason_makes(rs, a->inst, id, o)) &&
		    walk_dominates(r->walk, fn, id, a->ins) && !is_older(r, a, fn, id))
			made = id;
	for (InsId id = f->ins; made && id < f->ins + f->nins; id++)
		if (id != made && walk_dominates(r->walk, fn, made, id) &&
		    !walk_dominates(r->walk, fn, a->ins, id) && moves_locks(rs, &at, id) &&
		    walk_reaches(r->walk, fn, id, a->ins))
			return false;
	return made != 0;
}

typedef struct Under {
	const Races *r;
	ThreadId thread;
	LocksetId held;
} Under;

/* Was the load done by the thread under a lock that excludes those? */
static bool
loaded_under(void *ctx, const Frame *at, InsId load)
{
	const Under *u = ctx;
	const Races *r = u->r;

	for (u32 k = access_first(r, load); k < r->conc->accesses.n; k++) {
		const Access *l = access_at(r, k);

		if (l->ins != load)
			break;
		if (l->inst == at->inst && l->thread == u->thread &&
		    locks_apart(r->conc->locks, l->held, u->held))
			return true;
	}
	return false;
}

/* Does the access use a pointer that its thread found so? */
static bool
uses_found(Reasons *rs, u32 access, LocksetId held)
{
	const Races *r = rs->r;
	const Access *a = access_at(r, access);
	const Facts *facts = facts_of(rs, access);
	Under u = {r, a->thread, held};
	Val v = a->addr;

	for (u32 k = 0; k < facts->nframe; k++) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *f = pta_fn(r->pta, at->inst);

		v = root_of(r->ir, f, v);
		if (!val_is_reg(v))
			return false;
		if (fn_reg(r->ir, f, v)->def)
			return reason_found(r, at, v, loaded_under, &u);
		if (k + 1 == facts->nframe)
			return false;
		v = frame_argument(r, frame_of(rs, facts, k + 1), v);
	}
	return false;
}

static bool
filled_for(Reasons *rs, u32 a, u32 b, ObjId o)
{
	u32 known = map_get(&rs->filled, map_pair(a, o));

	if (!known) {
		known = 1 + fills(rs, a, o);
		map_put(rs->r->arena, &rs->filled, map_pair(a, o), known);
	}
	return known == 2 && uses_found(rs, b, access_at(rs->r, a)->held);
}

bool
reason_filled(Reasons *rs, u32 a, u32 b, ObjId o)
{
	return filled_for(rs, a, b, o) || filled_for(rs, b, a, o);
}
