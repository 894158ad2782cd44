/* reason_turns.c - two halves that change places at a barrier.
 *
 *	for (...) { new[i] = f(old); wait(barrier); swap(old, new); }
 *
 * All threads read the one half while they write the other, and change both
 * at the same barrier.  Told by the addresses: each is computed from a value
 * that a loop with a barrier in it turns over, to k - v, or to that of another
 * which gets its own.  Addresses are followed through a bounded number of
 * operations, and up to the callers that passed a part of them. */
#include "race/reason_int.h"

enum { DEPTH = 10 };

/* Is v turned over by each round of a loop: v = k - v, or two change places? */
static bool
turns_over(const Ir *ir, const Fn *f, const Ins *phi)
{
	for (u32 k = 1; k < phi->narg; k += 2) {
		InsId id;
		const Ins *i = def_of(ir, f, ins_arg(ir, phi, k), &id);
		if (!i)
			continue;
		if (i->op == OP_BIN && ((i->sub == BIN_SUB && val_is_const(ins_arg(ir, i, 0)) &&
					 ins_arg(ir, i, 1) == phi->dst) ||
					(i->sub == BIN_XOR && ins_arg(ir, i, 0) == phi->dst &&
					 val_is_const(ins_arg(ir, i, 1)))))
			return true;
		for (u32 n = 1; i->op == OP_PHI && i != phi && n < i->narg; n += 2)
			if (ins_arg(ir, i, n) == phi->dst)
				return true;
	}
	return false;
}

/* Does a barrier lie on a way from the phi round to it? */
static bool
meets_barrier(const Reasons *rs, FnId fn, InsId phi)
{
	const Races *r = rs->r;
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		if (i->op == OP_AWAIT && i->sub == EVENT_BARRIER &&
		    walk_reaches(r->walk, fn, phi, id) && walk_reaches(r->walk, fn, id, phi))
			return true;
	}
	return false;
}

/* Is it k - v, or the other bit? */
static bool
is_other(const Ir *ir, const Ins *i)
{
	return i->op == OP_BIN && ((i->sub == BIN_SUB && val_is_const(ins_arg(ir, i, 0))) ||
				   (i->sub == BIN_XOR && val_is_const(ins_arg(ir, i, 1))));
}

/* The half that v, in the k-th frame of the access, is computed from: the value that is turned
 * over, and whether it is itself or the other one; 0 none. */
static u32
half_of(Reasons *rs, const Facts *facts, u32 k, Val v, u32 depth)
{
	const Races *r = rs->r;
	const Frame *at = frame_of(rs, facts, k);
	const Fn *f = pta_fn(r->pta, at->inst);
	const Ins *i;
	InsId id;
	u32 half = 0;

	if (!val_is_reg(v) || depth == DEPTH)
		return 0;
	i = def_of(r->ir, f, v, &id);
	if (!i && k + 1 == facts->nframe)
		return 0;
	if (!i)
		return half_of(rs, facts, k + 1, frame_argument(r, frame_of(rs, facts, k + 1), v),
			       depth + 1);
	if (i->op == OP_PHI)
		return turns_over(r->ir, f, i) && meets_barrier(rs, inst_fn(r, at->inst), id)
			   ? id * 2
			   : 0;
	if (i->op != OP_COPY && i->op != OP_CAST && i->op != OP_FIELD && i->op != OP_INDEX &&
	    i->op != OP_BIN)
		return 0;
	for (u32 n = 0; n < i->narg && !half; n++)
		half = half_of(rs, facts, k, ins_arg(r->ir, i, n), depth + 1);
	return half ? half ^ is_other(r->ir, i) : 0;
}

static u32
half_at(Reasons *rs, u32 access)
{
	Facts *f = facts_of(rs, access);

	if (!f->half)
		f->half = 1 + half_of(rs, f, 0, access_at(rs->r, access)->addr, 0);
	return f->half - 1;
}

bool
reason_turns(Reasons *rs, u32 a, u32 b)
{
	u32 x = half_at(rs, a), y = x ? half_at(rs, b) : 0;

	return y && x != y;
}
