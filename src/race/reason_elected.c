/* reason_elected.c - what one of those who met at a barrier does alone.
 *
 *	if (wait(barrier) == K) total = add(parts);
 *
 * A barrier tells one of those who pass it from the others by the result of
 * the wait.  Both accesses lie behind such a test for equality, and before the
 * next wait: they are the elected ones' of different turns, or of one. */
#include "race/reason_int.h"

static bool
has_barriers(Reasons *rs)
{
	const Ir *ir = rs->r->ir;

	for (InsId i = 1; !rs->barriers && i < ir->ins.n; i++)
		if (op_at(rs->r, i) == OP_AWAIT && ir_ins(ir, i)->sub == EVENT_BARRIER)
			rs->barriers = 2;
	rs->barriers = rs->barriers ? rs->barriers : 1;
	return rs->barriers == 2;
}

/* Is v a number other than 0, which all others get? */
static bool
is_mark(const Ir *ir, Val v)
{
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_INT && ir_const(ir, v)->num;
}

/* Is v the result of a wait at a barrier?  The wait, or 0. */
static InsId
wait_of(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i = def_of(ir, f, root_of(ir, f, v), &id), *before;

	if (!i || i->op != OP_NONDET || id == f->ins)
		return 0;
	before = ir_ins(ir, id - 1);
	return before->op == OP_AWAIT && before->sub == EVENT_BARRIER && before->site == i->site
		   ? id - 1
		   : 0;
}

/* Does it pass another wait at a barrier on every way from the one to the other? */
static bool
meets_again(const Races *r, FnId fn, InsId from, InsId to)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (ir_ins(r->ir, i)->op == OP_AWAIT && ir_ins(r->ir, i)->sub == EVENT_BARRIER &&
		    i != from && walk_reaches(r->walk, fn, from, i) &&
		    walk_dominates(r->walk, fn, i, to) && walk_dominates(r->walk, fn, from, i))
			return true;
	return false;
}

/* The place of the barrier by which the frame's function is elected when it comes there; 0 none. */
static SlotId
elected_at(const Races *r, const Frame *at)
{
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = &r->ir->fns.at[fn];
	BlockId to = walk_block(r->walk, fn, at->ins);

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *end = ir_ins(r->ir, bl->ins + bl->nins - 1), *cmp;
		const Set *barrier;
		InsId id, wait;
		BlockId yes;
		u32 n;
		cmp = end->op == OP_CBR ? def_of(r->ir, f, ins_arg(r->ir, end, 0), &id) : NULL;
		if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE))
			continue;
		wait = wait_of(r->ir, f, ins_arg(r->ir, cmp, 0));
		if (!wait)
			continue;
		barrier = pta_pts(r->pta, at->inst, ins_arg(r->ir, ir_ins(r->ir, wait), 0));
		yes = r->ir->succs.at[bl->succ + (cmp->sub == CMP_NE)];
		walk_preds(r->walk, fn, yes, &n);
		if (!set_empty(barrier) && n == 1 && is_mark(r->ir, ins_arg(r->ir, cmp, 1)) &&
		    walk_block_dominates(r->walk, fn, yes, to) &&
		    !meets_again(r, fn, wait, at->ins))
			return set_first(barrier);
	}
	return 0;
}

static SlotId
elected(Reasons *rs, u32 access)
{
	Facts *f = facts_of(rs, access);
	SlotId barrier = 0;

	if (f->elected)
		return f->elected - 1;
	for (u32 k = 0; k < f->nframe && !barrier; k++)
		barrier = elected_at(rs->r, frame_of(rs, f, k));
	f->elected = barrier + 1;
	return barrier;
}

bool
reason_elected(Reasons *rs, u32 a, u32 b)
{
	SlotId barrier;

	if (access_at(rs->r, a)->thread != access_at(rs->r, b)->thread || !has_barriers(rs))
		return false;
	barrier = elected(rs, a);
	return barrier && barrier == elected(rs, b);
}
