/* reason_split.c - recursion that gives each thread a part of its own.
 *
 *	sort(part) { fork(sort, first half); sort(second half); join; merge(part); }
 *
 * A start routine that forks itself and waits for that before it goes on works,
 * as a rule, on parts that do not overlap, and on the whole when they are done.
 * That is not shown, so this is a reason and no more.  It does not hold for what
 * is one cell, nor for what is done between the fork and the join other than by
 * the recursion itself. */
#include "race/reason_int.h"

/* The join in the function of the fork, behind it, that waits for it; 0 none. */
static InsId
join_behind(const Races *r, FnId fn, InsId fork)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_JOIN && !(ir_ins(r->ir, id)->flags & INS_TRY) &&
		    walk_dominates(r->walk, fn, fork, id))
			return id;
	return 0;
}

enum { WRAPPERS = 2 }; /* of a library, between a thread's start and the routine */

/* Is f what inst runs, itself or by a library's call? */
static bool
runs(const Races *r, InstId inst, FnId f, u32 depth)
{
	const Pta *p = r->conc->pta;
	const Inst *in = pta_inst(p, inst);

	if (in->fn == f)
		return true;
	if (depth == WRAPPERS || !(pta_fn(p, inst)->flags & FN_LIBRARY))
		return false;
	for (u32 e = in->edge; e < in->edge + in->nedge; e++)
		if (!p->edges.at[e].fork && runs(r, p->edges.at[e].to, f, depth + 1))
			return true;
	return false;
}

/* Does t start itself, and wait for that?  Gives the fork's function, the fork and the join. */
static bool
splits(const Races *r, ThreadId t, FnId *fn, InsId *fork, InsId *join)
{
	const Threads *th = r->conc->threads;
	const Thread *x = thread_get(th, t);

	if (!x->parent || !runs(r, x->start, inst_fn(r, x->fork_inst), 0))
		return false;
	*fn = inst_fn(r, x->fork_inst);
	*fork = x->fork;
	*join = join_behind(r, *fn, *fork);
	return *join != 0;
}

/* Is the access not between fork and join? */
static bool
in_turn(Reasons *rs, u32 access, FnId fn, InsId fork, InsId join)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, access);

	for (u32 k = 0; k < f->nframe; k++) {
		const Frame *at = frame_of(rs, f, k);
		if (inst_fn(r, at->inst) != fn)
			continue;
		return !walk_reaches(r->walk, fn, fork, at->ins) ||
		       walk_dominates(r->walk, fn, join, at->ins);
	}
	return true; /* before or after all of it */
}

/* Is the place one of several alike? */
static bool
is_element(const Races *r, SlotId s)
{
	const Obj *o = pta_obj(r->pta, pta_slot(r->pta, s)->obj);
	u8 kind = o->type ? r->ir->types.at[o->type].kind : TYPE_NONE;

	return pta_slot(r->pta, s)->stride || kind == TYPE_ARRAY ||
	       (o->kind == OBJ_HEAP && kind != TYPE_STRUCT);
}

/* Is it always the same element, counted from the beginning of the array? */
static bool
is_fixed(const Races *r, u32 access)
{
	const Access *x = access_at(r, access);
	const Fn *fn = pta_fn(r->pta, x->inst);
	InsId def = val_is_reg(x->addr) ? fn_reg(r->ir, fn, x->addr)->def : 0;
	const Ins *ins = def ? ir_ins(r->ir, def) : NULL;

	return ins && ins->op == OP_INDEX && ins->sub == 1 && val_is_const(ins_arg(r->ir, ins, 1));
}

bool
reason_split(Reasons *rs, u32 a, u32 b, SlotId slot)
{
	const Races *r = rs->r;
	ThreadId t = MAX(access_at(r, a)->thread, access_at(r, b)->thread);
	FnId fn;
	InsId fork, join;

	return is_element(r, slot) && !is_fixed(r, a) && !is_fixed(r, b) &&
	       splits(r, t, &fn, &fork, &join) && in_turn(rs, a, fn, fork, join) &&
	       in_turn(rs, b, fn, fork, join);
}
