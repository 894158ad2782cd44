/* interleave_cover.c - what the runs of a search come to.
 *
 * A program that is given with small numbers may have code that these never
 * reach, but larger ones would.  A block that no run comes to is left out of
 * account only if it does nothing, or leads nowhere: to the end of the process
 * alone. */
#include "ir/interleave_int.h"

/* Does the function never come back? */
static bool
never_returns(const Ir *ir, const Fn *f)
{
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (ir_ins(ir, i)->op == OP_RET)
			return false;
	return f->nblock > 0;
}

/* Does the process end within the block? */
static bool
ends(const Ir *ir, const Block *b)
{
	for (InsId i = b->ins; i < b->ins + b->nins; i++) {
		const Ins *ins = ir_ins(ir, i);
		Val to = ins->op == OP_CALL ? ins_arg(ir, ins, 0) : 0;
		if (ins->op == OP_EXIT || ins->op == OP_UNREACHABLE)
			return true;
		if (val_is_const(to) && ir_const(ir, to)->kind == CONST_FN &&
		    never_returns(ir, &ir->fns.at[ir_const(ir, to)->ref]))
			return true;
	}
	return false;
}

/* Does the block do anything but look, and go on? */
static bool
acts(const Ir *ir, const Block *b)
{
	for (InsId i = b->ins; i < b->ins + b->nins; i++)
		switch ((Op)ir_ins(ir, i)->op) {
		case OP_LOAD:
		case OP_PHI:
		case OP_COPY:
		case OP_CAST:
		case OP_CMP:
		case OP_BIN:
		case OP_SELECT:
		case OP_FIELD:
		case OP_INDEX:
		case OP_BR:
		case OP_CBR: break;
		default: return true;
		}
	return false;
}

/* Does block b, to which no run comes, lead on?  Each block is looked at once. */
static bool
leads_on(const Ir *ir, const Fn *f, BlockId b, const Set *covered, Set *seen, Arena *a)
{
	const Block *block = fn_block(ir, f, b);

	if (ends(ir, block) || !set_add(a, seen, b))
		return false;
	if (set_has(covered, block->ins) || !block->nsucc)
		return true;
	for (u32 k = 0; k < block->nsucc; k++)
		if (leads_on(ir, f, ir->succs.at[block->succ + k], covered, seen, a))
			return true;
	return false;
}

static bool
covers_function(const Ir *ir, const Fn *f, const InterleaveResult *r)
{
	for (BlockId b = 1; b <= f->nblock; b++) {
		Set seen = {0};
		if (!set_has(&r->covered, fn_block(ir, f, b)->ins) &&
		    acts(ir, fn_block(ir, f, b)) &&
		    leads_on(ir, f, b, &r->covered, &seen, r->arena))
			return false;
	}
	return true;
}

bool
interleave_covers(const Ir *ir, const InterleaveResult *r)
{
	for (FnId i = 1; i < ir->fns.n; i++) {
		const Fn *f = &ir->fns.at[i];
		if (f->nblock && set_has(&r->covered, f->ins) && !covers_function(ir, f, r))
			return false;
	}
	return true;
}
