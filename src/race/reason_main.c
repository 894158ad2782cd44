/* reason_main.c - the main thread, which another one waits for.
 *
 *	main: main_thread = pthread_self(); create(restore); ...
 *	restore: cancel(main_thread); join(main_thread); put all back
 *
 * The main thread has no fork, so no handle names it: a join that waits for none that
 * was forked, and has its handle from memory in which only the main thread puts
 * numbers that a model made up, is taken to wait for it.  What such a join comes before, in the
 * functions on the way to the access, is not beside the main thread.  That the number is
 * what pthread_self gave is not shown, nor that a cancelled thread has ended
 * all it began, so this only lowers a rung. */
#include "race/reason_int.h"

enum { MAIN = 1 };

/* Does the main thread store a number that the model of a function made up? */
static bool
stores_self(void *ctx, const Writer *w)
{
	const Races *r = ctx;
	const Ins *store = ir_ins(r->ir, w->ins), *made;
	InsId id;

	if (store->op != OP_STORE || w->thread != MAIN)
		return false;
	made = def_of(r->ir, pta_fn(r->pta, w->inst), ins_arg(r->ir, store, 1), &id);
	return made && made->op == OP_NONDET;
}

/* Does the join wait for the main thread? */
static bool
waits_for_main(Reasons *rs, Point join)
{
	const Races *r = rs->r;
	const Ins *i = ir_ins(r->ir, join.ins), *load;
	Val handle =
	    i->op == OP_JOIN && !(i->flags & (INS_TRY | INS_ONCE)) ? ins_arg(r->ir, i, 0) : 0;
	u32 shape;
	InsId id;

	if (!handle || !set_empty(pta_pts(r->pta, join.inst, handle)))
		return false;
	load = def_of(r->ir, pta_fn(r->pta, join.inst), handle, &id);
	shape = load && load->op == OP_LOAD ? reason_read_shape(r, join.inst, id) : 0;
	return shape && reason_stores(rs, shape, stores_self, (void *)r);
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
			    waits_for_main(rs, (Point){at->inst, id}))
				return true;
	}
	return false;
}
