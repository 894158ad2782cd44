/* reason_stock.c - semaphores that do not start empty.
 *
 * To have passed one that starts with more than one says nothing of anybody's posting; one that
 * starts with one is a lock.  The posts that say how often they do so are listed once. */
#include "race/reason_int.h"

/* How often an instruction posts a semaphore at once, if it says so. */
static i64
stock_of(const Ir *ir, const Ins *i)
{
	Val n = i->op == OP_SIGNAL && i->sub == EVENT_SEM && i->narg > 1 ? ins_arg(ir, i, 1) : 0;

	return val_is_const(n) && ir_const(ir, n)->kind == CONST_INT ? ir_const(ir, n)->num : 0;
}

static void
find_stocked(Reasons *rs)
{
	const Races *r = rs->r;
	VecU32 at = {0};

	rs->has_stocked = true;
	for (InsId id = 1; id < r->ir->ins.n; id++)
		if (op_at(r, id) == OP_SIGNAL && stock_of(r->ir, ir_ins(r->ir, id)) > 0)
			vec_push(r->arena, &at, id);
	for (InstId inst = 1; at.n && inst < r->pta->insts.n; inst++) {
		const Fn *f = pta_fn(r->pta, inst);
		for (u32 k = 0; k < at.n; k++) {
			const Ins *i = ir_ins(r->ir, at.at[k]);
			if (at.at[k] - f->ins < f->nins)
				set_or(r->arena,
				       stock_of(r->ir, i) > 1 ? &rs->stocked : &rs->primed,
				       pta_pts(r->pta, inst, ins_arg(r->ir, i, 0)));
		}
	}
}

bool
reason_in_stock(Reasons *rs, InstId inst, InsId await)
{
	const Ins *i = ir_ins(rs->r->ir, await);

	if (i->sub != EVENT_SEM)
		return false;
	if (!rs->has_stocked)
		find_stocked(rs);
	return set_meets(&rs->stocked, pta_pts(rs->r->pta, inst, ins_arg(rs->r->ir, i, 0)));
}

bool
reason_primed(Reasons *rs, Point await)
{
	const Ins *i = ir_ins(rs->r->ir, await.ins);

	if (!rs->has_stocked)
		find_stocked(rs);
	return i->op == OP_AWAIT && i->sub == EVENT_SEM &&
	       set_meets(&rs->primed, pta_pts(rs->r->pta, await.inst, ins_arg(rs->r->ir, i, 0)));
}
