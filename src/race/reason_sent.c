/* reason_sent.c - objects that were sent before they are touched once more.
 *
 *	p->op = 1; write(fd, &p, sizeof p); p->op = 0;
 *
 * Whoever reads the message comes behind what was done before it, not behind what its
 * sender does to the object later, though more messages may follow that. */
#include "race/reason_int.h"

enum {
	SMALL = 200,  /* blocks */
	ONE_MODEL = 8 /* instructions */
};

/* Is the pointer of the frame's instruction one that the message holds, which is copied before the
 * signal, and is o given away by that? */
static bool
sends_same(Reasons *rs, const Frame *at, InsId signal, ObjId o)
{
	const Races *r = rs->r;
	const Fn *f = pta_fn(r->pta, at->inst);
	const Ins *here = ir_ins(r->ir, at->ins);
	Val v = here->narg ? root_of(r->ir, f, ins_arg(r->ir, here, here->op == OP_CALL)) : 0;
	InsId id;
	const Ins *load = val_is_reg(v) ? def_of(r->ir, f, v, &id) : NULL;

	for (id = signal; id-- > f->ins && id + ONE_MODEL > signal;) {
		const Ins *copy = ir_ins(r->ir, id);
		Val from = copy->op == OP_BCOPY ? root_of(r->ir, f, ins_arg(r->ir, copy, 1)) : 0;
		if (from && load && load->op == OP_LOAD && ins_arg(r->ir, load, 0) == from &&
		    reason_publishes(rs, at->inst, id, o))
			return true;
	}
	return false;
}

/* Does the comparison, of what sending gave, mean that it failed where it is true?  As it is written: less
 * than asked for, not all of it. */
static bool
means_failure(const Ir *ir, const Ins *cmp)
{
	Val y = ins_arg(ir, cmp, 1);
	i64 n = val_is_const(y) && ir_const(ir, y)->kind == CONST_INT ? ir_const(ir, y)->num : 1;

	switch (cmp->sub) {
	case CMP_NE: return n > 0;
	case CMP_EQ: return n <= 0;
	case CMP_SLT:
	case CMP_SLE:
	case CMP_ULT:
	case CMP_ULE: return true;
	default: return false;
	}
}

/* Does the instruction lie where the message has not been sent? */
static bool
lies_behind_failure(const Races *r, FnId fn, InsId signal, InsId at)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *end = ir_ins(r->ir, bl->ins + bl->nins - 1);
		const Ins *cmp, *from;
		InsId id, made = 0;
		if (end->op != OP_CBR)
			continue;
		cmp = def_of(r->ir, f, ins_arg(r->ir, end, 0), &id);
		from = cmp && cmp->op == OP_CMP ? def_of(r->ir, f, ins_arg(r->ir, cmp, 0), &made)
						: NULL;
		while (from && from->op == OP_CAST)
			from = def_of(r->ir, f, ins_arg(r->ir, from, 0), &made);
		if (from && made > signal && made < signal + ONE_MODEL &&
		    walk_block_dominates(r->walk, fn,
					 r->ir->succs.at[bl->succ + !means_failure(r->ir, cmp)],
					 walk_block(r->walk, fn, at)))
			return true;
	}
	return false;
}

/* Has access a's thread sent o before, in a message that b waits for, and not waited since for what b
 * tells of? */
bool
reason_sent(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	const Facts *f = facts_of(rs, a), *g = facts_of(rs, b);

	for (u32 i = 0; i < f->nframe; i++) {
		const Frame *at = frame_of(rs, f, i);
		FnId fn = inst_fn(r, at->inst);
		const Fn *in = &r->ir->fns.at[fn];

		for (InsId id = in->ins; in->nblock <= SMALL && id < in->ins + in->nins; id++) {
			if (ir_ins(r->ir, id)->op != OP_SIGNAL ||
			    !walk_dominates(r->walk, fn, id, at->ins) ||
			    !sends_same(rs, at, id, o) || lies_behind_failure(r, fn, id, at->ins) ||
			    !reason_unawaited(rs, (Point){at->inst, id}, b, at->ins, false))
				continue;
			for (u32 k = 0; k < g->nframe; k++) {
				const Points *awaits = &events_at(rs, g->frame[k], true)->awaits;
				for (u32 w = 0; w < awaits->n; w++)
					if (reason_same_cell(r, (Point){at->inst, id},
							     awaits->at[w]))
						return true;
			}
		}
	}
	return false;
}
