/* reason_main.c - the main thread, which another one waits for.
 *
 *	main: main_thread = pthread_self(); create(restore); ...
 *	restore: cancel(main_thread); join(main_thread); put all back
 *
 * The order analysis has a join of what only the main thread has found out to be its handle.  Where
 * it has too many states for that, what the join comes before, in the functions on the way to the
 * access, is taken not to be beside the main thread. */
#include "race/reason_int.h"

enum { MAIN = 1 };

/* Does the join wait for the main thread? */
static bool
waits_for_main(const Races *r, Point join)
{
	const Ins *i = ir_ins(r->ir, join.ins);
	const Set *named = pta_pts(r->pta, join.inst, ins_arg(r->ir, i, 0));

	if (i->op != OP_JOIN || i->flags & (INS_TRY | INS_ONCE))
		return false;
	SET_FOR (it, named) {
		const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);
		if (o->kind != OBJ_SELF || !threads_main_only(r->conc->threads, o->inst))
			return false;
	}
	return !set_empty(named);
}

bool
reason_behind_main(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, a);

	if (access_at(r, b)->thread != MAIN || access_at(r, a)->thread == MAIN)
		return false;
	for (u32 k = 0; k < f->nframe; k++) {
		const Frame *at = frame_of(rs, f, k);
		const Fn *fn = pta_fn(r->pta, at->inst);
		if (!order_moves(r->conc->order, at->inst))
			continue;
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++)
			if (ir_ins(r->ir, id)->op == OP_JOIN &&
			    walk_dominates(r->walk, inst_fn(r, at->inst), id, at->ins) &&
			    waits_for_main(r, (Point){at->inst, id}))
				return true;
	}
	return false;
}
