/* reason_join.c - a thread that was waited for, though not certainly.
 *
 * A creator that keeps its threads, tasks or futures in a container, and waits
 * for each it finds there, has hardly one left that runs; nor has one that waits
 * with a limit of time.  Neither is certain: which threads a handle names, and
 * whether all were found, is not shown.  So it is a reason, if such a join comes
 * before the access on every path to it (or ends a loop that does), in the
 * functions on the call path or in those that they certainly call, and the
 * thread is not started again in between.
 *
 * A join in a loop that counts through an array says nothing here: whether it
 * covers all that were started is for the order analysis to judge.  What a frame
 * says of a thread is found once. */
#include "race/reason_int.h"

enum { CALLS = 3, MAX_JOINS = 32 };

/* A join, and where its function, or the caller that asks, has passed it. */
typedef struct Passed {
	Point join;
	InsId at;
} Passed;

typedef struct FoundJoins {
	Passed joins[MAX_JOINS];
	u32 n;
} FoundJoins;

/* Is b the block of a branch that ends the cycle which ins is in? */
static bool
ends_cycle_of(const Races *r, FnId fn, BlockId b, InsId ins)
{
	const Block *bl = fn_block(r->ir, &r->ir->fns.at[fn], b);
	BlockId in = walk_block(r->walk, fn, ins);

	if (!walk_block_reaches(r->walk, fn, b, in) || !walk_block_reaches(r->walk, fn, in, b))
		return false;
	for (u32 k = 0; k < bl->nsucc; k++)
		if (!walk_block_reaches(r->walk, fn, r->ir->succs.at[bl->succ + k], in))
			return true;
	return false;
}

/* Has control passed `at` when it comes to ins, or when it leaves if that is 0? */
static bool
passed(const Races *r, FnId fn, InsId at, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];

	if (ins)
		return walk_dominates(r->walk, fn, at, ins);
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1;
		if (ir_ins(r->ir, end)->op == OP_RET && end != at &&
		    !walk_dominates(r->walk, fn, at, end))
			return false;
	}
	return true;
}

/* Where the join was certainly passed before ins: itself, or the end of its loop; 0 nowhere. */
static InsId
passed_at(const Races *r, FnId fn, InsId join, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];

	if (passed(r, fn, join, ins))
		return join;
	if (!walk_cyclic(r->walk, fn, walk_block(r->walk, fn, join)))
		return 0;
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1;
		if (ends_cycle_of(r, fn, b, join) && passed(r, fn, end, ins))
			return end;
	}
	return 0;
}

/* The instruction that v is loaded or computed by, behind casts and cells. */
static const Ins *
comes_from(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *def = def_of(ir, f, root_of(ir, f, v), &id);

	while (def && (def->op == OP_COPY || def->op == OP_FILTER || def->op == OP_CAST))
		def = def_of(ir, f, root_of(ir, f, ins_arg(ir, def, 0)), &id);
	return def;
}

/* Is it the address of an element of an array, or of a part of one? */
static bool
is_element(const Ir *ir, const Fn *f, Val addr)
{
	InsId id;
	const Ins *at = def_of(ir, f, addr, &id);

	while (at && (at->op == OP_FIELD || at->op == OP_COPY || at->op == OP_CAST))
		at = def_of(ir, f, ins_arg(ir, at, 0), &id);
	return at && at->op == OP_INDEX;
}

/* Is the handle, or the object that holds it, an element of an array that is
 * walked through here? */
static bool
counts_through(const Ir *ir, const Fn *f, const Ins *join)
{
	Val v = ins_arg(ir, join, 0);

	for (u32 depth = 0; depth < 2; depth++) {
		const Ins *load = comes_from(ir, f, v);
		if (!load || load->op != OP_LOAD)
			return false;
		v = ins_arg(ir, load, 0);
		if (is_element(ir, f, v))
			return true;
	}
	return false;
}

/* One that may end before its thread counts only if its result tells, and one
 * that may throw instead only if nobody catches that. */
static bool
is_witness(const Races *r, InstId inst, InsId join, bool called)
{
	const Ir *ir = r->ir;
	const Fn *f = pta_fn(r->pta, inst);
	const Ins *i = ir_ins(ir, join);

	if (i->op != OP_JOIN || counts_through(ir, f, i))
		return false;
	/* A handle that is a number names one thread of those that it may name. */
	if (ir->classes.n <= 1 &&
	    !walk_cyclic(r->walk, inst_fn(r, inst), walk_block(r->walk, inst_fn(r, inst), join)))
		return false;
	if (i->flags & INS_THROWS &&
	    (called || fn_block(ir, f, walk_block(r->walk, inst_fn(r, inst), join))->exc))
		return false;
	return !(i->flags & INS_TRY) ||
	       (i->flags & INS_RECURSIVE && i->cond && i->cond != SIGN_ANY);
}

static void
find_joins(const Races *r, InstId inst, InsId ins, u32 depth, FoundJoins *out)
{
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins && out->n < MAX_JOINS; id++) {
		const Ins *i = ir_ins(r->ir, id);
		u32 n, first = out->n;
		const Edge *to;
		InsId at = is_witness(r, inst, id, !ins) ? passed_at(r, fn, id, ins) : 0;
		if (at)
			out->joins[out->n++] = (Passed){{inst, id}, at};
		if (i->op != OP_CALL || !depth)
			continue;
		to = pta_targets(r->pta, inst, id, &n);
		if (n != 1 || to->fork || !order_moves(r->conc->order, to->to))
			continue;
		at = passed_at(r, fn, id, ins);
		if (!at)
			continue;
		find_joins(r, to->to, 0, depth - 1, out);
		for (u32 k = first; k < out->n; k++)
			out->joins[k].at = at;
	}
}

/* May the join wait for thread x? */
static bool
waits_for(const Races *r, Point join, const Thread *x)
{
	Val handle = ins_arg(r->ir, ir_ins(r->ir, join.ins), 0);

	SET_FOR (it, pta_pts(r->pta, join.inst, handle)) {
		const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);
		if (o->kind == OBJ_THREAD && o->ins == x->fork && o->inst == x->fork_inst)
			return true;
	}
	return false;
}

/* May the frame start x between `from` (0: its entry) and its instruction? */
static bool
starts_between(Reasons *rs, const Frame *at, InsId from, const Thread *x, const Set *above)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = pta_fn(r->pta, at->inst);

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		bool starts = ir_ins(r->ir, id)->op == OP_FORK
				  ? id == x->fork && at->inst == x->fork_inst
				  : reason_calls(rs, at->inst, id, above);
		if (starts && (!from || walk_reaches(r->walk, fn, from, id)) &&
		    walk_reaches(r->walk, fn, id, at->ins))
			return true;
	}
	return false;
}

enum { SAYS_NOTHING = 1, SAYS_JOINED, SAYS_STARTED };

/* What the frame says of x on the way to its instruction. */
static u32
frame_says(Reasons *rs, u32 frame, const Thread *x, const Set *above)
{
	const Races *r = rs->r;
	const Frame *at = &rs->frames.at[frame].at;
	FoundJoins joins = {.n = 0};

	if (!order_moves(r->conc->order, at->inst))
		return SAYS_NOTHING;
	find_joins(r, at->inst, at->ins, CALLS, &joins);
	for (u32 i = 0; i < joins.n; i++)
		if (waits_for(r, joins.joins[i].join, x) &&
		    !starts_between(rs, at, joins.joins[i].at, x, above))
			return SAYS_JOINED;
	return starts_between(rs, at, 0, x, above) ? SAYS_STARTED : SAYS_NOTHING;
}

bool
reason_joined(Reasons *rs, u32 a, u32 b)
{
	const Races *r = rs->r;
	ThreadId t = access_at(r, b)->thread;
	const Thread *x = thread_get(r->conc->threads, t);
	const Facts *f = facts_of(rs, a);
	Set above = {0};
	u32 says = SAYS_NOTHING;

	if (!x->fork || x->parent != access_at(r, a)->thread)
		return false;
	above_add(rs->above, x->fork_inst, &above);
	for (u32 k = 0; k < f->nframe && says == SAYS_NOTHING; k++) {
		u32 *known = map_at(r->arena, &rs->joined, map_pair(f->frame[k] + 1, t));
		says = *known;
		if (!says) {
			says = frame_says(rs, f->frame[k], x, &above);
			*map_at(r->arena, &rs->joined, map_pair(f->frame[k] + 1, t)) = says;
		}
	}
	set_recycle(r->arena, &above);
	return says == SAYS_JOINED;
}
