/* reason_raised.c - counts that let pass who comes before anybody has counted.
 *
 *	worker:	lock(m); running++; unlock(m); use(x); lock(m); running--; wake(c); unlock(m);
 *	main:	lock(m); while (running) wait(c, m); unlock(m); use(x);
 *
 * The count starts at 0, which is what the loop waits for, and only those raise it who lower it: who
 * waits may be there before they are, so that the loop says nothing of them. */
#include "race/reason_int.h"

/* Does the instruction count down, or store 0? */
static bool
lowers(const Ir *ir, const Fn *f, const Ins *i)
{
	InsId id;
	const Ins *by = i;
	Val v;
	i64 n;

	if (i->op != OP_STORE && i->op != OP_RMW)
		return false;
	v = ins_arg(ir, i, 1);
	if (i->op == OP_STORE) {
		if (val_is_const(v))
			return ir_const(ir, v)->kind == CONST_INT && !ir_const(ir, v)->num;
		by = def_of(ir, f, v, &id);
	}
	if (!by || (by->op != OP_RMW && by->op != OP_BIN))
		return false;
	v = ins_arg(ir, by, 1);
	n = val_is_const(v) && ir_const(ir, v)->kind == CONST_INT ? ir_const(ir, v)->num : 0;
	return by->sub == BIN_SUB ? n > 0 : by->sub == BIN_ADD && n < 0;
}

/* Does a loop of the function go on while what the load finds is not 0, and end where it is? */
static bool
waits_for_zero(const Races *r, FnId fn, InsId load)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId head = walk_block(r->walk, fn, load);

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *end = ir_ins(r->ir, bl->ins + bl->nins - 1);
		InsId found = 0;
		i64 value;
		if (end->op == OP_CBR && bl->nsucc == 2 && walk_cyclic(r->walk, fn, b) &&
		    reason_at_zero(r->ir, f, ins_arg(r->ir, end, 0), &value, &found) &&
		    found == load)
			return reason_comes_round(r, fn, r->ir->succs.at[bl->succ + !!value],
						  head) &&
			       !reason_comes_round(r, fn, r->ir->succs.at[bl->succ + !value], head);
	}
	return false;
}

bool
reason_raised_late(const Races *r, Point told, Point wait)
{
	const Threads *t = r->conc->threads;
	const Ins *i = ir_ins(r->ir, told.ins);
	const Set *at = pta_pts(r->pta, told.inst, ins_arg(r->ir, i, 0));
	SlotId cell = set_single(at) ? set_first(at) : 0;
	bool raised = false;

	if (!cell || ir_ins(r->ir, wait.ins)->op != OP_LOAD ||
	    !lowers(r->ir, pta_fn(r->pta, told.inst), i) ||
	    pta_obj(r->pta, pta_slot(r->pta, cell)->obj)->kind != OBJ_GLOBAL ||
	    !reason_starts_zero(r->pta, cell, (i->width + 7u) / 8) ||
	    !waits_for_zero(r, inst_fn(r, wait.inst), wait.ins))
		return false;
	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		const Ins *by = ir_ins(r->ir, a->ins);
		bool meets = false;
		if (!(a->flags & ACC_WRITE))
			continue;
		SET_FOR (it, pta_pts(r->pta, a->inst, a->addr))
			meets |=
			    pta_overlap(r->pta, it.x, MAX(a->size, 1), cell, (i->width + 7u) / 8);
		if (!meets || ((by->op == OP_STORE || by->op == OP_RMW) &&
			       lowers(r->ir, pta_fn(r->pta, a->inst), by)))
			continue;
		if (!set_has(&t->insts[a->thread], told.inst) ||
		    set_has(&t->insts[a->thread], wait.inst))
			return false;
		raised = true;
	}
	return raised;
}
