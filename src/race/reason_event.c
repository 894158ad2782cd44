/* reason_event.c - what certainly happens before and behind an instruction.
 *
 * Of each function, once: signals and awaits, stores of constants and counts,
 * loads that let a loop end or on which a branch depends.  From an instruction,
 * those of them that dominate it, or that it dominates, and those of the functions
 * that are certainly called there, a few calls deep.  What speaks of many places
 * is left out: it is no evidence of one flag. */
#include "race/reason_int.h"

enum { CALLS = 3, MAX_PLACES = 8, NEAR = 8, SMALL = 200 };

typedef struct FnEvents {       /* of one function */
	VecU32 signals, awaits; /* instructions */
	VecU32 sets;            /* stores of a constant */
	VecU32 spins;           /* loads that a loop's end depends on */
	VecU32 ends;            /* the branch at that end, for each of them */
	VecU32 counts, tests;   /* counts whose result a branch depends on, and that branch */
	VecU32 gives;           /* releasing writes */
	VecU32 looks, sides;    /* acquiring reads that a branch depends on, and that branch */
	VecU32 answers;         /* reads that what is returned depends on */
	VecU32 asks, replies;   /* calls whose result a branch depends on, and that branch */
	VecU32 calls, returns;
} FnEvents;

static void
add_spin(const Races *r, FnEvents *e, InsId load, InsId end)
{
	vec_push(r->arena, &e->spins, load);
	vec_push(r->arena, &e->ends, end);
}

static void
find_spins(const Races *r, FnId fn, FnEvents *e)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *t = ir_ins(r->ir, bl->ins + bl->nins - 1);
		InsId loads[SLICE_LOADS];
		u32 n = 0;

		if (t->op != OP_CBR || !walk_cyclic(r->walk, fn, b))
			continue;
		n = reason_slice(r->ir, f, ins_arg(r->ir, t, 0), loads);
		if (!n || !reason_ends_loop(r, fn, b))
			continue;
		for (u32 k = 0; k < n; k++)
			if (walk_cyclic(r->walk, fn, walk_block(r->walk, fn, loads[k])))
				add_spin(r, e, loads[k], bl->ins + bl->nins - 1);
	}
}

/* The load that the store counts on from, in the same place; 0 none. */
static InsId
counted_load(const Ir *ir, const Fn *f, const Ins *store)
{
	InsId id, load;
	const Ins *add = def_of(ir, f, ins_arg(ir, store, 1), &id), *l;

	if (!add || add->op != OP_BIN || (add->sub != BIN_ADD && add->sub != BIN_SUB) ||
	    (val_is_reg(ins_arg(ir, add, 1)) && ins_arg(ir, add, 1) > f->nparam))
		return 0; /* by a constant, or by what the caller says */
	l = def_of(ir, f, ins_arg(ir, add, 0), &load);
	return l && l->op == OP_LOAD ? load : 0;
}

/* Does the store set a flag, or count on? */
static bool
sets_or_counts(const Ir *ir, const Fn *f, const Ins *store)
{
	return val_is_const(ins_arg(ir, store, 1)) || counted_load(ir, f, store);
}

static bool
counts_on(const Races *r, FnId fn, InsId id)
{
	const Ins *i = ir_ins(r->ir, id);

	return i->op == OP_RMW || (i->op == OP_STORE && counted_load(r->ir, &r->ir->fns.at[fn], i));
}

/* Who waits for what the instruction does waits for the instruction: a count, or a flag that is set. */
static bool
tells_itself(const Races *r, FnId fn, InsId id)
{
	const Ins *i = ir_ins(r->ir, id);
	Val v = i->op == OP_STORE ? ins_arg(r->ir, i, 1) : 0;

	return counts_on(r, fn, id) || (val_is_const(v) && ir_const(r->ir, v)->kind == CONST_INT &&
					ir_const(r->ir, v)->num);
}

/* Is it a subtraction of something above 0, or an addition of less? */
static bool
goes_down(const Ir *ir, const Ins *by)
{
	Val v = ins_arg(ir, by, 1);
	i64 n = val_is_const(v) && ir_const(ir, v)->kind == CONST_INT ? ir_const(ir, v)->num : 0;

	return by->sub == BIN_SUB ? n > 0 : by->sub == BIN_ADD && n < 0;
}

/* The loads that a store counts down from, and what counts down itself. */
static Set
counting_down(const Races *r, const Fn *f, const FnEvents *e)
{
	Set down = {0};

	for (u32 i = 0; i < e->sets.n; i++) {
		const Ins *set = ir_ins(r->ir, e->sets.at[i]);
		InsId by, load = set->op == OP_STORE ? counted_load(r->ir, f, set) : 0;

		if (set->op == OP_RMW && goes_down(r->ir, set))
			set_add(r->arena, &down, e->sets.at[i]);
		if (load && goes_down(r->ir, def_of(r->ir, f, ins_arg(r->ir, set, 1), &by)))
			set_add(r->arena, &down, load);
	}
	return down;
}

/* Branches on what counting down found: the last one does what the others do not. */
static void
find_counts(const Races *r, FnId fn, FnEvents *e)
{
	const Fn *f = &r->ir->fns.at[fn];
	Set down = counting_down(r, f, e);

	for (BlockId b = 1; b <= f->nblock && !set_empty(&down); b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1, loads[SLICE_LOADS];
		u32 n = 0;

		if (ir_ins(r->ir, end)->op != OP_CBR || reason_ends_loop(r, fn, b))
			continue;
		n = reason_slice(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, end), 0), loads);
		for (u32 k = 0; k < n; k++)
			if (set_has(&down, loads[k])) {
				vec_push(r->arena, &e->counts, loads[k]);
				vec_push(r->arena, &e->tests, end);
			}
	}
	set_recycle(r->arena, &down);
}

static bool
is_atomic_write(const Ins *i)
{
	return (i->op == OP_STORE || i->op == OP_RMW || i->op == OP_CAS) &&
	       order_releases(i->order);
}

/* Acquiring reads, and the branches that depend on them. */
static void
find_looks(const Races *r, FnId fn, FnEvents *e)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1, loads[SLICE_LOADS];
		u32 n = 0;

		if (ir_ins(r->ir, end)->op == OP_CBR)
			n = reason_slice(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, end), 0), loads);
		for (u32 k = 0; k < n; k++)
			if (order_acquires(ir_ins(r->ir, loads[k])->order)) {
				vec_push(r->arena, &e->looks, loads[k]);
				vec_push(r->arena, &e->sides, end);
			}
	}
}

/* Reads that the result depends on, and calls that branches depend on: `if (is_empty(q))`. */
static void
find_answers(const Races *r, FnId fn, FnEvents *e)
{
	const Fn *f = &r->ir->fns.at[fn];
	InsId found[SLICE_LOADS];

	for (u32 i = 0; f->nblock <= REASON_SHORT && i < e->returns.n; i++) {
		const Ins *ret = ir_ins(r->ir, e->returns.at[i]);
		u32 n = ret->narg ? reason_slice(r->ir, f, ins_arg(r->ir, ret, 0), found) : 0;
		for (u32 k = 0; k < n; k++)
			vec_push(r->arena, &e->answers, found[k]);
	}
	for (BlockId b = 1; e->calls.n && b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1;
		u32 n =
		    ir_ins(r->ir, end)->op == OP_CBR
			? reason_slice_calls(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, end), 0), found)
			: 0;
		for (u32 k = 0; k < n; k++) {
			vec_push(r->arena, &e->asks, found[k]);
			vec_push(r->arena, &e->replies, end);
		}
	}
}

static bool
is_listed(const VecU32 *list, u32 x)
{
	for (u32 k = 0; k < list->n; k++)
		if (list->at[k] == x)
			return true;
	return false;
}

/* Does control come to block `to` from branches only that depend on what is looked at, as behind
 * `while (a && b)`?  In long functions that is not asked. */
static bool
looks_on_all_ways(const Races *r, FnId fn, const FnEvents *e, BlockId to, InsId branch)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; f->nblock <= SMALL && b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1;
		for (u32 k = 0; k < bl->nsucc; k++)
			if (r->ir->succs.at[bl->succ + k] == to && end != branch &&
			    !is_listed(&e->sides, end) && !is_listed(&e->replies, end) &&
			    !is_listed(&e->tests, end))
				return false;
	}
	return true;
}

/* Does the instruction lie on one side of the branch only? */
static bool
on_one_side(const Races *r, FnId fn, const FnEvents *e, InsId branch, InsId ins)
{
	const Block *bl = fn_block(r->ir, &r->ir->fns.at[fn], walk_block(r->walk, fn, branch));
	BlockId at = walk_block(r->walk, fn, ins), side = 0;

	for (u32 k = 0; k < bl->nsucc; k++)
		if (walk_block_dominates(r->walk, fn, r->ir->succs.at[bl->succ + k], at)) {
			if (side)
				return false;
			side = r->ir->succs.at[bl->succ + k];
		}
	return side && looks_on_all_ways(r, fn, e, side, branch);
}

/* Do two instructions of one function name one place in the same way? */
static bool
same_place(const Ir *ir, const Fn *f, InsId x, InsId y)
{
	Val v = ins_arg(ir, ir_ins(ir, x), 0), w = ins_arg(ir, ir_ins(ir, y), 0);
	InsId id;
	const Ins *a = def_of(ir, f, v, &id), *b = def_of(ir, f, w, &id);

	return v == w || (a && b && a->op == OP_FIELD && b->op == OP_FIELD && a->imm == b->imm &&
			  ins_arg(ir, a, 0) == ins_arg(ir, b, 0));
}

/* Stores, of whatever is computed, to what a loop of the function waits for: whose turn it is. */
static void
find_turns(const Races *r, const Fn *f, FnEvents *e)
{
	for (InsId id = f->ins; e->spins.n && id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);

		if (i->op != OP_STORE || sets_or_counts(r->ir, f, i))
			continue;
		for (u32 k = 0; k < e->spins.n; k++)
			if (same_place(r->ir, f, e->spins.at[k], id)) {
				vec_push(r->arena, &e->sets, id);
				break;
			}
	}
}

static const FnEvents *
events_in(Reasons *rs, FnId fn)
{
	const Races *r = rs->r;
	const Fn *f = &r->ir->fns.at[fn];
	FnEvents *e = rs->events[fn];

	if (e)
		return e;
	e = rs->events[fn] = arena_new(r->arena, FnEvents);
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);

		if (is_atomic_write(i))
			vec_push(r->arena, &e->gives, id);
		if (i->op == OP_SIGNAL)
			vec_push(r->arena, &e->signals, id);
		else if (i->op == OP_AWAIT && !(i->sub == EVENT_SEM && i->flags & INS_TRY))
			vec_push(r->arena, &e->awaits, id);
		else if (i->op == OP_RMW || (i->op == OP_STORE && sets_or_counts(r->ir, f, i)))
			vec_push(r->arena, &e->sets, id);
		else if (i->op == OP_CALL)
			vec_push(r->arena, &e->calls, id);
		else if (i->op == OP_RET)
			vec_push(r->arena, &e->returns, id);
	}
	find_spins(r, fn, e);
	find_turns(r, f, e);
	find_counts(r, fn, e);
	find_looks(r, fn, e);
	find_answers(r, fn, e);
	return e;
}

/* Does every path through the function pass the instruction? */
static bool
always(const Races *r, FnId fn, const FnEvents *in, InsId id)
{
	for (u32 k = 0; k < in->returns.n; k++)
		if (!walk_dominates(r->walk, fn, id, in->returns.at[k]))
			return false;
	return true;
}

/* Does every path through the function pass the end of a loop that waits for the same
 * place as its k-th one?  A loop may be left where it tries first, and where it tries
 * again. */
static bool
always_spins(const Races *r, FnId fn, const FnEvents *in, u32 k)
{
	const Fn *f = &r->ir->fns.at[fn];
	Val place = ins_arg(r->ir, ir_ins(r->ir, in->spins.at[k]), 0);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1), returns = false;
	VecU32 work = {0};

	for (u32 i = 0; i < in->spins.n; i++)
		if (ins_arg(r->ir, ir_ins(r->ir, in->spins.at[i]), 0) == place)
			seen[walk_block(r->walk, fn, in->ends.at[i])] = true;
	if (!seen[1])
		vec_push(r->arena, &work, 1);
	seen[1] = true;
	while (work.n && !returns) {
		const Block *b = fn_block(r->ir, f, work.at[--work.n]);
		returns = ir_ins(r->ir, b->ins + b->nins - 1)->op == OP_RET;
		for (u32 i = 0; i < b->nsucc; i++) {
			BlockId to = r->ir->succs.at[b->succ + i];
			if (!seen[to])
				vec_push(r->arena, &work, to);
			seen[to] = true;
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	return !returns;
}

/* Is what the k-th loop waits for set again on every way from the instruction back to
 * the loop?  Then each round waits for the other side's answer to the last. */
static bool
gives_back(const Races *r, FnId fn, const FnEvents *in, InsId ins, u32 k)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId b = walk_block(r->walk, fn, ins), end = walk_block(r->walk, fn, in->ends.at[k]);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1), back = false;
	VecU32 work = {0};

	for (u32 i = 0; i < in->sets.n; i++)
		if (same_place(r->ir, f, in->spins.at[k], in->sets.at[i]) &&
		    (walk_block(r->walk, fn, in->sets.at[i]) != b || in->sets.at[i] > ins))
			seen[walk_block(r->walk, fn, in->sets.at[i])] = true;
	if (!seen[b])
		vec_push(r->arena, &work, b);
	while (work.n && !back) {
		const Block *bl = fn_block(r->ir, f, work.at[--work.n]);
		for (u32 i = 0; i < bl->nsucc; i++) {
			BlockId to = r->ir->succs.at[bl->succ + i];
			if (seen[to])
				continue;
			seen[to] = true;
			back |= to == end;
			vec_push(r->arena, &work, to);
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	return !back;
}

/* Is the k-th loop left before the instruction, or always if that is 0? */
static bool
spins_ahead(const Races *r, FnId fn, const FnEvents *in, InsId ins, u32 k)
{
	InsId end = in->ends.at[k];

	if (!ins)
		return always(r, fn, in, end) || always_spins(r, fn, in, k);
	return walk_dominates(r->walk, fn, end, ins) &&
	       (!walk_reaches(r->walk, fn, ins, end) || gives_back(r, fn, in, ins, k));
}

static bool
behind(const Races *r, FnId fn, const FnEvents *in, InsId ins, InsId id)
{
	return ins ? walk_dominates(r->walk, fn, ins, id) : always(r, fn, in, id);
}

/* Does every path from the instruction to a return pass the other one? */
static bool
passes(const Races *r, FnId fn, InsId ins, InsId id)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId b = walk_block(r->walk, fn, ins), end = walk_block(r->walk, fn, id);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1), all = true;
	VecU32 work = {0};

	if (b != end || id < ins)
		vec_push(r->arena, &work, b);
	seen[end] = true;
	while (work.n && all) {
		const Block *bl = fn_block(r->ir, f, work.at[--work.n]);
		all = ir_ins(r->ir, bl->ins + bl->nins - 1)->op != OP_RET;
		for (u32 i = 0; i < bl->nsucc; i++) {
			BlockId to = r->ir->succs.at[bl->succ + i];
			if (!seen[to])
				vec_push(r->arena, &work, to);
			seen[to] = true;
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	return all;
}

/* Does control come to the other one from the instruction, whatever branch or loop that lies in, and
 * never back?  In long functions that is not looked for. */
static bool
follows(const Races *r, FnId fn, InsId ins, InsId id)
{
	return ins && ins != id && r->ir->fns.at[fn].nblock <= SMALL &&
	       walk_reaches(r->walk, fn, ins, id) && !walk_reaches(r->walk, fn, id, ins) &&
	       passes(r, fn, ins, id);
}

static bool
ahead(const Races *r, FnId fn, const FnEvents *in, InsId ins, InsId id)
{
	return ins ? walk_dominates(r->walk, fn, id, ins) : always(r, fn, in, id);
}

#define KEEP(list, from, cond)                                                                     \
	for (u32 k = 0; k < (from).n; k++) {                                                       \
		InsId id = (from).at[k];                                                           \
		if (cond)                                                                          \
			vec_push(r->arena, &(list), (Point){at.inst, id});                         \
	}

/* Does the instruction speak of one place, or a few?  What may be one of many
 * is no evidence of one flag, nor is an atomic access that orders nothing. */
static bool
names_place(const Races *r, InstId inst, InsId ins)
{
	const Set *s = pta_pts(r->pta, inst, ins_arg(r->ir, ir_ins(r->ir, ins), 0));

	if (ir_ins(r->ir, ins)->order == ORDER_RELAXED)
		return false;
	return s->n <= MAX_PLACES && set_count(s) <= MAX_PLACES;
}

/* Is counting on kept from others who do so at the same time: is it atomic, or under a lock? */
static bool
counts_alone(const Races *r, InstId inst, InsId ins)
{
	if (ir_ins(r->ir, ins)->order != ORDER_PLAIN)
		return true;
	for (u32 k = access_first(r, ins); k < r->conc->accesses.n && access_at(r, k)->ins == ins;
	     k++)
		if (access_at(r, k)->inst == inst &&
		    !locks_count(r->conc->locks, access_at(r, k)->held))
			return false;
	return true;
}

/* Is one of the last points the same instruction, of another clone, on the same place? */
static bool
is_repeated(const Races *r, const Points *points, Point p)
{
	Val v = ins_arg(r->ir, ir_ins(r->ir, p.ins), 0);

	for (u32 k = points->n; k && points->n - k < NEAR; k--)
		if (points->at[k - 1].ins == p.ins &&
		    set_eq(pta_pts(r->pta, points->at[k - 1].inst, v), pta_pts(r->pta, p.inst, v)))
			return true;
	return false;
}

/* Adds points, of which only their places are asked: those of a loop's worth of calls are few. */
static void
add_places(const Races *r, Points *to, const Points *from)
{
	for (u32 k = 0; k < from->n; k++)
		if (!is_repeated(r, to, from->at[k]))
			vec_push(r->arena, to, from->at[k]);
}

static void
add_points(const Races *r, Points *to, const Points *from)
{
	for (u32 k = 0; k < from->n; k++)
		vec_push(r->arena, to, from->at[k]);
}

static const Events *events_of(Reasons *rs, InstId inst, bool before, u32 depth);

/* Adds what happens in all of a function that is certainly called. */
static void
gather_call(Reasons *rs, Events *e, InstId callee, bool before, u32 depth)
{
	const Races *r = rs->r;
	const Events *in = events_of(rs, callee, before, depth);

	add_places(r, &e->signals, &in->signals);
	add_places(r, &e->sets, &in->sets);
	add_points(r, &e->awaits, &in->awaits);
	add_points(r, &e->spins, &in->spins);
	add_points(r, &e->gives, &in->gives);
	add_points(r, &e->looks, &in->looks);
}

/* Adds what functions look at whose answers decide whether control comes to the frame's
 * instruction, or that loops wait for. */
static void
gather_answers(Reasons *rs, Events *e, Frame at)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at.inst);
	const FnEvents *in = events_in(rs, fn);

	for (u32 k = 0; k < in->asks.n; k++) {
		InsId call = in->asks.at[k], end = in->replies.at[k];
		const FnEvents *of;
		bool side, waits;
		u32 n;
		const Edge *to = pta_targets(r->pta, at.inst, call, &n);

		of = n == 1 ? events_in(rs, inst_fn(r, to->to)) : NULL;
		if (!of || !of->answers.n || !walk_dominates(r->walk, fn, end, at.ins))
			continue;
		side = on_one_side(r, fn, in, end, at.ins);
		waits = walk_cyclic(r->walk, fn, walk_block(r->walk, fn, call)) &&
			reason_ends_loop(r, fn, walk_block(r->walk, fn, end)) &&
			!walk_reaches(r->walk, fn, at.ins, end);
		for (u32 i = 0; i < of->answers.n; i++) {
			Point look = {to->to, of->answers.at[i]};
			if (!names_place(r, look.inst, look.ins))
				continue;
			if (waits)
				vec_push(r->arena, &e->spins, look);
			if (side && order_acquires(ir_ins(r->ir, look.ins)->order))
				vec_push(r->arena, &e->looks, look);
		}
	}
}

/* Adds what certainly happens before or behind the frame's instruction, or
 * in all of its function if that is 0. */
static void
gather(Reasons *rs, Events *e, Frame at, bool before, u32 depth)
{
	const Races *r = rs->r;
	bool after = !before;
	FnId fn = inst_fn(r, at.inst);
	const FnEvents *in = events_in(rs, fn);

	KEEP(e->signals, in->signals,
	     after && names_place(r, at.inst, id) &&
		 (behind(r, fn, in, at.ins, id) || follows(r, fn, at.ins, id)))
	KEEP(e->sets, in->sets,
	     after && names_place(r, at.inst, id) &&
		 (behind(r, fn, in, at.ins, id) || (id == at.ins && tells_itself(r, fn, id)) ||
		  follows(r, fn, at.ins, id)))
	KEEP(e->early, in->signals,
	     before && at.ins && names_place(r, at.inst, id) && ahead(r, fn, in, at.ins, id))
	KEEP(e->awaits, in->awaits,
	     before && names_place(r, at.inst, id) && ahead(r, fn, in, at.ins, id) &&
		 !reason_in_stock(rs, at.inst, id))
	KEEP(e->spins, in->spins,
	     before && names_place(r, at.inst, id) && spins_ahead(r, fn, in, at.ins, k))
	KEEP(e->spins, in->counts,
	     before && at.ins && names_place(r, at.inst, id) && counts_alone(r, at.inst, id) &&
		 on_one_side(r, fn, in, in->tests.at[k], at.ins))
	KEEP(e->lasts, in->counts,
	     before && at.ins && names_place(r, at.inst, id) && counts_alone(r, at.inst, id) &&
		 on_one_side(r, fn, in, in->tests.at[k], at.ins))
	KEEP(e->gives, in->gives,
	     after && names_place(r, at.inst, id) && behind(r, fn, in, at.ins, id))
	KEEP(e->looks, in->looks,
	     before && names_place(r, at.inst, id) &&
		 (at.ins ? on_one_side(r, fn, in, in->sides.at[k], at.ins)
			 : ahead(r, fn, in, 0, in->sides.at[k])))
	if (before && at.ins)
		gather_answers(rs, e, at);
	for (u32 k = 0; depth && k < in->calls.n; k++) {
		InsId call = in->calls.at[k];
		bool y = before ? ahead(r, fn, in, at.ins, call) : behind(r, fn, in, at.ins, call);
		u32 n;
		const Edge *to = pta_targets(r->pta, at.inst, call, &n);
		/* Ways that join the one from here are looked for where it is worth it. */
		if (after && !y && at.ins && call != at.ins && n == 1 &&
		    (events_in(rs, inst_fn(r, to->to))->signals.n ||
		     events_in(rs, inst_fn(r, to->to))->counts.n))
			y = walk_reaches(r->walk, fn, at.ins, call) && passes(r, fn, at.ins, call);
		if (y && n == 1)
			gather_call(rs, e, to->to, before, depth - 1);
	}
}

/* What certainly happens in all of a function, found once: many call it. */
static const Events *
events_of(Reasons *rs, InstId inst, bool before, u32 depth)
{
	Arena *a = rs->r->arena;
	u64 key = map_pair(inst, depth * 2 + before);
	u32 known = map_get(&rs->whole_index, key);
	Events *e;

	if (!known) {
		e = arena_new(a, Events);
		gather(rs, e, (Frame){inst, 0}, before, depth);
		vec_push(a, &rs->wholes, e);
		known = rs->wholes.n;
		map_put(a, &rs->whole_index, key, known);
	}
	return rs->wholes.at[known - 1];
}

/* A bit for each object that the points may be of; several may have the same. */
static u64
objects_of(const Races *r, const Points *points)
{
	u64 bits = 0;

	for (u32 k = 0; k < points->n; k++) {
		Point at = points->at[k];
		SET_FOR (it, pta_pts(r->pta, at.inst, ins_arg(r->ir, ir_ins(r->ir, at.ins), 0))) {
			bits |= (u64)1 << hash_u64(pta_slot(r->pta, it.x)->obj) % 64;
			if (bits == UINT64_MAX)
				return bits;
		}
	}
	return bits;
}

const Events *
events_at(Reasons *rs, u32 frame, bool before)
{
	FrameFacts *f = &rs->frames.at[frame];
	const Events **at = before ? &f->before : &f->behind;

	if (!*at) {
		Events *found = arena_new(rs->r->arena, Events);
		gather(rs, found, f->at, before, CALLS);
		found->tells = objects_of(rs->r, &found->signals) | objects_of(rs->r, &found->sets);
		found->waits = objects_of(rs->r, &found->awaits) | objects_of(rs->r, &found->spins);
		*at = found;
	}
	return *at;
}

const Events *
events_told(Reasons *rs, InstId inst)
{
	return events_of(rs, inst, false, CALLS);
}

const Events *
events_waited(Reasons *rs, Point at)
{
	const Races *r = rs->r;
	u32 *known = map_at(r->arena, &rs->waited_at, map_pair(at.inst, at.ins));
	const FnEvents *in = events_in(rs, inst_fn(r, at.inst));
	Op op = ir_ins(r->ir, at.ins)->op;
	Events *own;
	u32 n;
	const Edge *to;

	if (*known)
		return rs->waited.at[*known - 1];
	own = arena_new(r->arena, Events);
	vec_push(r->arena, &rs->waited, own);
	*known = rs->waited.n;
	if (op == OP_AWAIT && !reason_in_stock(rs, at.inst, at.ins))
		vec_push(r->arena, &own->awaits, at);
	for (u32 k = 0; op == OP_CBR && k < in->ends.n; k++)
		if (in->ends.at[k] == at.ins)
			vec_push(r->arena, &own->spins, (Point){at.inst, in->spins.at[k]});
	if (op == OP_CALL) {
		to = pta_targets(r->pta, at.inst, at.ins, &n);
		if (n == 1)
			gather_call(rs, own, to->to, true, CALLS);
	}
	return own;
}
