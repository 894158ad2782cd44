/* reason_fill.c - who creates workers fills the element of the next one, or looks at that of the last.
 *
 *	for (i < n) { job[i].from = i * k; create(&job[i].t, work, &job[i]); }
 *	for (i < n) { join(job[i].t); sum += job[i].sum; }
 *
 * The element is told by its index in the creator's round: the one that the fork passes, or the one
 * whose handle the round has just joined. */
#include "race/reason_int.h"

Val
reason_stripped(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i;

	while ((i = def_of(ir, f, v, &id)) != NULL && (i->op == OP_CAST || i->op == OP_COPY))
		v = ins_arg(ir, i, 0);
	return v;
}

/* The index by which v, behind members, is the address of an element; 0 it is none. */
static Val
index_of(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	while (i && (i->op == OP_FIELD || i->op == OP_COPY || i->op == OP_CAST))
		i = def_of(ir, f, ins_arg(ir, i, 0), &id);
	return i && i->op == OP_INDEX ? reason_stripped(ir, f, ins_arg(ir, i, 1)) : 0;
}

/* The index of the element that the fork passes; 0 it passes none. */
static Val
passed_index(const Races *r, const Thread *x)
{
	const Ins *fork = ir_ins(r->ir, x->fork);
	Val index = 0;

	for (u32 k = 2; k < fork->narg && !index; k++)
		index = index_of(r->ir, pta_fn(r->pta, x->fork_inst), ins_arg(r->ir, fork, k));
	return index;
}

/* Has the round waited for the thread of x that was given the element with this index, when it comes to the
 * instruction? */
static bool
waited(const Races *r, const Thread *x, Val given, Val index, InsId ins)
{
	const Ir *ir = r->ir;
	FnId fn = inst_fn(r, x->fork_inst);
	const Fn *f = &ir->fns.at[fn];
	Val from = reason_first_count(ir, f, index), to = ins_arg(ir, ir_ins(ir, x->fork), 0);

	if (!from || from != reason_first_count(ir, f, given) || !to ||
	    index_of(ir, f, to) != given ||
	    reason_counts(r, fn, index) != reason_counts(r, fn, given))
		return false;
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *join = ir_ins(ir, id), *load;
		InsId at;
		if (join->op != OP_JOIN || join->flags & INS_TRY ||
		    !walk_dominates(r->walk, fn, id, ins) ||
		    reason_leaves_loop(r, fn, walk_block(r->walk, fn, ins), id))
			continue;
		load = def_of(ir, f, ins_arg(ir, join, 0), &at);
		if (!load || load->op != OP_LOAD || index_of(ir, f, ins_arg(ir, load, 0)) != index)
			continue;
		SET_FOR (it, pta_pts(r->pta, x->fork_inst, ins_arg(ir, join, 0))) {
			const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);
			if (o->kind == OBJ_THREAD && o->ins == x->fork)
				return true;
		}
	}
	return false;
}

bool
reason_fills(Reasons *rs, u32 access, const Thread *x)
{
	const Races *r = rs->r;
	const Facts *facts = facts_of(rs, access);
	Val v = access_at(r, access)->addr, given = passed_index(r, x), index;
	FnId fn = inst_fn(r, x->fork_inst);

	for (u32 k = 0; given && v && k < facts->nframe; k++) {
		const Frame *at = frame_of(rs, facts, k);
		const Fn *f = pta_fn(r->pta, at->inst);
		InsId id;

		if (at->inst == x->fork_inst) {
			index = index_of(r->ir, f, v);
			return (index == given && walk_dominates(r->walk, fn, at->ins, x->fork) &&
				!reason_leaves_loop(r, fn, walk_block(r->walk, fn, at->ins),
						    x->fork)) ||
			       (index && waited(r, x, given, index, at->ins));
		}
		v = root_of(r->ir, f, v);
		v = !def_of(r->ir, f, v, &id) && val_is_reg(v) && k + 1 < facts->nframe
			? frame_argument(r, frame_of(rs, facts, k + 1), v)
			: 0;
	}
	return false;
}
