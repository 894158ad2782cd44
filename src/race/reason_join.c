/* reason_join.c - a thread that was waited for, though not certainly.
 *
 * A creator that keeps its threads, tasks or futures in a container, and waits
 * for each it finds there, has hardly one left that runs; nor has one that
 * waits with a limit of time.  Neither is certain: which threads a handle
 * names, and whether all were found, is not shown.  So it is a reason, if such
 * a join comes before the access on every path to it (or ends a loop that
 * does), in the functions on the call path or in those that they certainly
 * call, and the thread is not started again in between.
 *
 * A function that waits for the thread it has started on every way on which it
 * returns leaves none behind (reason_scope.c): so do tasks that split their
 * work, and the callers of a function that only starts, if all of them wait, as where
 * a pool of workers is made and torn down for each phase.  A function of C that has failed, as its
 * result says, need not have waited.
 *
 * A join in a loop that counts through an array says nothing here: whether it
 * covers all that were started is for the order analysis to judge.  Where
 * functions start and wait for what they are given, `stop(&w[i])`, it follows
 * neither: such loops count here if both go through one array in the same way, and so
 * does one that goes up to a number in memory which another loop counts its forks by (reason_cover.c).
 * Nor does one join of a thread that is started again and again, unless it is started only where
 * a flag says that there is none (reason_one_at_a_time), or the last one was waited for where a flag says
 * that there is one (reason_restart.c).
 * What a frame says of a thread is found once.  Where many threads start such workers, each its own, this
 * holds only of objects that each makes for itself (reason_of_one). */
#include "race/reason_int.h"

enum { CALLS = 3, MAX_JOINS = 32, TARGETS = 4, STAGES = 2 };

/* A join, and where its function, or the caller that asks, has passed it. */
typedef struct Passed {
	Point join;
	InsId at;
} Passed;

typedef struct FoundJoins {
	Passed joins[MAX_JOINS];
	u32 n;
	ThreadId of; /* looked for in tables, too; 0 none */
	bool one; /* of a thread that is there once at a time: whichever it waits for, it is it */
	bool all; /* only such as wait in each round of their loops: see takes_back */
} FoundJoins;

/* Does the way from block b into the block that returns v mean that the function has failed?
 * In C, where others return zero, and this one a negative or computed number. */
static bool
fails_by(const Races *r, const Fn *f, BlockId b, const Ins *ret)
{
	const Ir *ir = r->ir;
	bool failed = false, zero = false;
	InsId id;
	const Ins *phi =
	    ir->classes.n <= 1 && ret->narg ? def_of(ir, f, ins_arg(ir, ret, 0), &id) : NULL;

	if (!phi || phi->op != OP_PHI || ret < ir_ins(ir, id))
		return false;
	for (u32 k = 0; k + 1 < phi->narg; k += 2) {
		Val v = ins_arg(ir, phi, k + 1);
		bool is_zero =
		    val_is_const(v) && ir_const(ir, v)->kind == CONST_INT && !ir_const(ir, v)->num;
		bool is_bad = val_is_reg(v) ||
			      (ir_const(ir, v)->kind == CONST_INT && ir_const(ir, v)->num < 0);
		zero |= is_zero;
		failed |= is_bad && ins_arg(ir, phi, k) == b;
	}
	return zero && failed;
}

/* Has control passed `at` when the function returns, if it has not failed? */
static bool
passed_at_end(const Races *r, FnId fn, InsId at, const Ins *ret, BlockId in, InsId end)
{
	const Fn *f = &r->ir->fns.at[fn];
	bool failed = false;

	if (end == at || walk_dominates(r->walk, fn, at, end))
		return true;
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		for (u32 k = 0; k < bl->nsucc; k++) {
			InsId last = bl->ins + bl->nins - 1;
			if (r->ir->succs.at[bl->succ + k] != in)
				continue;
			if (fails_by(r, f, b, ret))
				failed = true;
			else if (last != at && !walk_dominates(r->walk, fn, at, last))
				return false;
		}
	}
	return failed;
}

/* Has control passed `at` when it comes to ins, or when it leaves if that is 0?
 */
static bool
passed(const Races *r, FnId fn, InsId at, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];

	if (ins)
		return walk_dominates(r->walk, fn, at, ins);
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1;
		const Ins *ret = ir_ins(r->ir, end);
		if (ret->op == OP_RET && !passed_at_end(r, fn, at, ret, b, end))
			return false;
	}
	return true;
}

/* Where the join was certainly passed before ins: itself, or the end of its
 * loop; 0 nowhere.  all: in all rounds, which within the function is for takes_back to judge. */
static InsId
passed_at(const Races *r, FnId fn, InsId join, InsId ins, bool all)
{
	const Fn *f = &r->ir->fns.at[fn];

	if (all && ins)
		return 0;
	if (!all && passed(r, fn, join, ins))
		return join;
	if (!walk_cyclic(r->walk, fn, walk_block(r->walk, fn, join)))
		return 0;
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId end = bl->ins + bl->nins - 1;
		if (reason_ends_cycle(r, fn, b, join) && passed(r, fn, end, ins))
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

/* What is repeated for all: a call that gets an object with a handle in it, one that gets a handle. */
enum { OBJECTS = 1, HANDLES = 2 };

/* How what the join waits for comes from what its function was given; 0 it does not. */
static u32
is_given(const Ir *ir, const Fn *f, const Ins *join)
{
	Val handle = root_of(ir, f, ins_arg(ir, join, 0)), root;
	const Ins *load = comes_from(ir, f, handle);

	if (val_is_reg(handle) && handle <= f->nparam)
		return HANDLES;
	root = load && load->op == OP_LOAD ? root_of(ir, f, ins_arg(ir, load, 0)) : 0;
	return root && val_is_reg(root) && root <= f->nparam ? OBJECTS : 0;
}

/* Which array has the element that the call or fork is given, or one whose value it is given
 * (handles); 0 none. */
static Val
array_of(const Ir *ir, const Fn *f, const Ins *call, bool handles)
{
	for (u32 k = call->op == OP_CALL; k < call->narg; k++) {
		InsId id;
		const Ins *at = def_of(ir, f, ins_arg(ir, call, k), &id);
		if (at && at->op == OP_LOAD && handles)
			at = def_of(ir, f, ins_arg(ir, at, 0), &id);
		while (at && at->op == OP_FIELD)
			at = def_of(ir, f, ins_arg(ir, at, 0), &id);
		if (at && at->op == OP_INDEX)
			return ins_arg(ir, at, 0);
	}
	return 0;
}

/* May the call run what starts threads or waits for them? */
static bool
calls_moving(const Races *r, InstId inst, InsId call)
{
	u32 n;
	const Edge *to = pta_targets(r->pta, inst, call, &n);

	return n && order_moves(r->conc->order, to->to);
}

/* Is the call repeated for all that another one, which goes through the same
 * array, was made for before?  One that is repeated for what no array has: for
 * all of these. */
static bool
is_repeated(const Races *r, InstId inst, InsId call, bool handles)
{
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];
	const Ins *test = reason_exit_test(r, fn, call), *other;
	Val array = array_of(r->ir, f, ir_ins(r->ir, call), handles);

	if (!walk_cyclic(r->walk, fn, walk_block(r->walk, fn, call)) || !array)
		return walk_cyclic(r->walk, fn, walk_block(r->walk, fn, call));
	for (InsId id = f->ins; test && id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(r->ir, id);
		Val started = i->op == OP_FORK || (i->op == OP_CALL && calls_moving(r, inst, id))
				  ? array_of(r->ir, f, i, false)
				  : 0;
		if (!started || !reason_alike(r->ir, f, array, started) ||
		    !walk_reaches_in_round(r->walk, fn, id, call) ||
		    walk_reaches_in_round(r->walk, fn, call, id))
			continue;
		other = reason_exit_test(r, fn, id);
		if (other && other->sub == test->sub &&
		    reason_alike(r->ir, f, ins_arg(r->ir, test, 1), ins_arg(r->ir, other, 1)) &&
		    reason_first_count(r->ir, f, ins_arg(r->ir, test, 0)) &&
		    reason_first_count(r->ir, f, ins_arg(r->ir, test, 0)) ==
			reason_first_count(r->ir, f, ins_arg(r->ir, other, 0)))
			return true;
	}
	return false;
}

/* Does the function go on where this instruction throws? */
static bool
is_caught(const Races *r, FnId fn, InsId ins)
{
	return fn_block(r->ir, &r->ir->fns.at[fn], walk_block(r->walk, fn, ins))->exc;
}

/* Is the handle of a join within a loop the same in each round: read from a variable that nothing there
 * stores to, and that is not handed to a call?  Then it waits for one thread, and again for that. */
static bool
is_same_each_round(const Races *r, InstId inst, InsId join)
{
	const Ir *ir = r->ir;
	FnId fn = inst_fn(r, inst);
	const Fn *f = &ir->fns.at[fn];
	const Ins *load = comes_from(ir, f, ins_arg(ir, ir_ins(ir, join), 0)), *at;
	const Set *slot;
	InsId id;

	if (!load || load->op != OP_LOAD || load->order != ORDER_PLAIN)
		return false;
	slot = pta_pts(r->pta, inst, ins_arg(ir, load, 0));
	at = def_of(ir, f, ins_arg(ir, load, 0), &id);
	while (at &&
	       (at->op == OP_FIELD || (at->op == OP_INDEX && val_is_const(ins_arg(ir, at, 1)))))
		at = def_of(ir, f, ins_arg(ir, at, 0), &id);
	if (!set_single(slot) || !at || at->op != OP_ALLOC ||
	    walk_cyclic(r->walk, fn, walk_block(r->walk, fn, id)))
		return false;
	for (InsId k = f->ins; k < f->ins + f->nins; k++) {
		const Ins *i = ir_ins(ir, k);
		bool writes = i->op == OP_STORE || i->op == OP_BCOPY || i->op == OP_WRITEN ||
			      i->op == OP_FORK || i->op == OP_CALL;
		if (!writes || !walk_reaches(r->walk, fn, join, k) ||
		    !walk_reaches(r->walk, fn, k, join))
			continue;
		for (u32 a = 0; a < i->narg; a++)
			if (set_meets(pta_pts(r->pta, inst, ins_arg(ir, i, a)), slot))
				return false;
	}
	return true;
}

/* One that may end before its thread counts only if its result tells, and one
 * that may throw instead only if nobody catches that.  repeated: the function
 * is called again and again; one: there is one such thread at a time. */
static bool
is_witness(const Races *r, InstId inst, InsId join, u32 repeated, bool one)
{
	const Ir *ir = r->ir;
	const Fn *f = pta_fn(r->pta, inst);
	const Ins *i = ir_ins(ir, join);

	if (i->op != OP_JOIN || (counts_through(ir, f, i) && !reason_covers_forks(r, inst, join) &&
				 !order_takes_back(r->conc->order, inst, join)))
		return false;
	/* A handle that is a number names one thread of those that it may name. */
	if (ir->classes.n <= 1 && !one && !(repeated & is_given(ir, f, i)) &&
	    (!walk_cyclic(r->walk, inst_fn(r, inst), walk_block(r->walk, inst_fn(r, inst), join)) ||
	     is_same_each_round(r, inst, join)))
		return false;
	if (i->flags & INS_THROWS && is_caught(r, inst_fn(r, inst), join))
		return false;
	/* Who only asks has to ask until the answer is yes. */
	if (i->flags & INS_ONCE && !repeated &&
	    !walk_cyclic(r->walk, inst_fn(r, inst), walk_block(r->walk, inst_fn(r, inst), join)))
		return false;
	return !(i->flags & INS_TRY) ||
	       (i->flags & INS_RECURSIVE && i->cond && i->cond != SIGN_ANY);
}

/* Of what a call passes: the joins from `first` on that it comes back from only
 * behind them. */
static void
keep_uncaught(const Races *r, FnId fn, InsId call, u32 first, InsId at, FoundJoins *out)
{
	bool caught = is_caught(r, fn, call);
	u32 n = first;

	for (u32 k = first; k < out->n; k++)
		if (!caught || !(ir_ins(r->ir, out->joins[k].join.ins)->flags & INS_THROWS))
			out->joins[n++] = (Passed){out->joins[k].join, at};
	out->n = n;
}

static void find_joins(const Races *r, InstId inst, InsId ins, u32 repeated, u32 depth,
		       FoundJoins *out);

/* What the call passes, whichever function it runs; `at` is where it was
 * passed. */
static void
find_called(const Races *r, InstId inst, InsId call, InsId at, u32 depth, FoundJoins *out)
{
	u32 n, first = out->n;
	const Edge *to = pta_targets(r->pta, inst, call, &n);
	u32 repeated = out->all ? 0
				: (is_repeated(r, inst, call, false) ? OBJECTS : 0) |
				      (is_repeated(r, inst, call, true) ? HANDLES : 0);

	for (u32 k = 0; k < n && n <= TARGETS; k++) {
		u32 before = out->n;
		if (!to[k].fork && order_moves(r->conc->order, to[k].to))
			find_joins(r, to[k].to, 0, repeated, depth - 1, out);
		if (out->n == before) {
			out->n = first;
			return;
		}
	}
	keep_uncaught(r, inst_fn(r, inst), call, first, at, out);
}

static void
find_joins(const Races *r, InstId inst, InsId ins, u32 repeated, u32 depth, FoundJoins *out)
{
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (InsId id = f->ins; id < f->ins + f->nins && out->n < MAX_JOINS; id++) {
		const Ins *i = ir_ins(r->ir, id);
		InsId at =
		    is_witness(r, inst, id, repeated, out->one) ||
			    (i->op == OP_JOIN && out->of &&
			     reason_asked(r->reasons, out->of, (Point){inst, id}))
			? passed_at(r, fn, id, ins,
				    i->op == OP_JOIN && order_takes_back(r->conc->order, inst, id))
			: 0;
		if (at && (!out->all || reason_every_round(r, fn, id)))
			out->joins[out->n++] = (Passed){{inst, id}, at};
		if (i->op != OP_CALL || !depth || !calls_moving(r, inst, id))
			continue;
		at = passed_at(r, fn, id, ins, false);
		if (at)
			find_called(r, inst, id, at, depth, out);
	}
}

static bool waits_through(const Races *r, Point join, const Thread *x, u32 depth);

/* Does a thread of that fork certainly wait for x before it ends? */
static bool
passes_on(const Races *r, const Obj *fork, const Thread *x, u32 depth)
{
	const Threads *t = r->conc->threads;

	for (ThreadId id = 2; id < t->at.n; id++) {
		const Thread *z = thread_get(t, id);
		FoundJoins joins = {.n = 0};
		if (z->fork != fork->ins || z->fork_inst != fork->inst || z->parent != x->parent)
			continue;
		find_joins(r, z->start, 0, 0, CALLS, &joins);
		for (u32 k = 0; k < joins.n; k++)
			if (waits_through(r, joins.joins[k].join, x, depth))
				return true;
	}
	return false;
}

/* May the join wait for thread x, or for one that has waited for it? */
static bool
waits_through(const Races *r, Point join, const Thread *x, u32 depth)
{
	Val handle = ins_arg(r->ir, ir_ins(r->ir, join.ins), 0);

	SET_FOR (it, pta_pts(r->pta, join.inst, handle)) {
		const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);
		if (o->kind != OBJ_THREAD)
			continue;
		if ((o->ins == x->fork && o->inst == x->fork_inst) ||
		    (depth && passes_on(r, o, x, depth - 1)))
			return true;
	}
	return false;
}

static bool
waits_for(const Races *r, Point join, const Thread *x)
{
	return waits_through(r, join, x, r->ir->classes.n > 1 ? STAGES : 0);
}

bool
reason_waits_here(const Races *r, InstId inst, InsId id, const Thread *x, bool all)
{
	FoundJoins joins = {.all = all};

	if (ir_ins(r->ir, id)->op == OP_CALL && calls_moving(r, inst, id)) {
		find_called(r, inst, id, id, CALLS, &joins);
		for (u32 k = 0; k < joins.n; k++)
			if (waits_for(r, joins.joins[k].join, x))
				return true;
		return false;
	}
	return is_witness(r, inst, id, 0, false) && waits_for(r, (Point){inst, id}, x) &&
	       (!all || reason_every_round(r, inst_fn(r, inst), id));
}

/* ---- threads that were waited for
 * -------------------------------------------------- */

/* Does the instruction start x, or call what may? */
static bool
is_start(Reasons *rs, InstId inst, InsId id, const Thread *x, const Set *above)
{
	return ir_ins(rs->r->ir, id)->op == OP_FORK ? id == x->fork && inst == x->fork_inst
						    : reason_calls(rs, inst, id, above);
}

/* May the frame start x between `from` (0: its entry) and its instruction? */
static bool
starts_between(Reasons *rs, const Frame *at, InsId from, const Thread *x, const Set *above)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = pta_fn(r->pta, at->inst);

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (is_start(rs, at->inst, id, x, above) &&
		    (!from || walk_reaches(r->walk, fn, from, id)) &&
		    walk_reaches(r->walk, fn, id, at->ins))
			return true;
	return false;
}

/* Has the frame, wherever it may have started t, waited for it on every way from there to its
 * instruction? */
static bool
takes_back(Reasons *rs, const Frame *at, ThreadId t, const Set *above)
{
	const Races *r = rs->r;
	const Thread *x = thread_get(r->conc->threads, t);
	const struct Scopes *scopes = reason_scopes(rs, t);
	FnId fn = inst_fn(r, at->inst);
	const Fn *f = pta_fn(r->pta, at->inst);

	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		if (!is_start(rs, at->inst, id, x, above) ||
		    !walk_reaches(r->walk, fn, id, at->ins) ||
		    reason_leaves_none(rs, (Point){at->inst, id}, scopes))
			continue;
		if (!reason_takes_back(r, (Point){at->inst, id}, at->ins, x))
			return false;
	}
	return true;
}

/* SAYS_TAKEN: what it has started has ended, but that of its callers may run. */
enum { SAYS_NOTHING = 1, SAYS_JOINED, SAYS_STARTED, SAYS_TAKEN };

/* What the frame says of x on the way to its instruction. */
static u32
frame_says(Reasons *rs, u32 frame, ThreadId t, const Set *above)
{
	const Races *r = rs->r;
	const Thread *x = thread_get(r->conc->threads, t);
	const Frame *at = &rs->frames.at[frame].at;
	FoundJoins joins = {.n = 0};
	InsId settled;

	if (!order_moves(r->conc->order, at->inst))
		return SAYS_NOTHING;
	joins.one = reason_one_at_a_time(rs, t);
	joins.of = t;
	find_joins(r, at->inst, at->ins, 0, CALLS, &joins);
	for (u32 i = 0; i < joins.n; i++)
		if (waits_for(r, joins.joins[i].join, x) &&
		    !starts_between(rs, at, joins.joins[i].at, x, above))
			return SAYS_JOINED;
	settled = reason_settled(rs, t, (Point){at->inst, at->ins});
	if (settled && !starts_between(rs, at, settled, x, above))
		return SAYS_JOINED;
	if (!starts_between(rs, at, 0, x, above))
		return SAYS_NOTHING;
	return takes_back(rs, at, t, above) ? SAYS_TAKEN : SAYS_STARTED;
}

bool
reason_joined(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Races *r = rs->r;
	ThreadId t = access_at(r, b)->thread;
	const Thread *x = thread_get(r->conc->threads, t);
	const Facts *f = facts_of(rs, a);
	Set above = {0};
	const struct Scopes *scopes;
	u32 says = SAYS_NOTHING;
	bool taken = false;

	while (x->fork && x->parent != access_at(r, a)->thread && reason_scopes(rs, t)) {
		t = x->parent;
		x = thread_get(r->conc->threads, t);
	}
	if (!x->fork || x->parent != access_at(r, a)->thread || !reason_of_one(r, x->parent, o))
		return false;
	scopes = reason_scopes(rs, t);
	if (scopes && !reason_within(rs, a, scopes))
		return true;
	above_add(rs->above, x->fork_inst, &above);
	for (u32 k = 0; k < f->nframe && says != SAYS_JOINED && says != SAYS_STARTED; k++) {
		u32 *known = map_at(r->arena, &rs->joined, map_pair(f->frame[k] + 1, t));
		says = *known;
		if (!says) {
			says = frame_says(rs, f->frame[k], t, &above);
			*map_at(r->arena, &rs->joined, map_pair(f->frame[k] + 1, t)) = says;
		}
		taken |= says == SAYS_TAKEN;
	}
	set_recycle(r->arena, &above);
	/* In a scope, before that starts its threads: which of several starters that is, the order does not tell. */
	taken |= scopes && !thread_get(r->conc->threads, x->parent)->unique;
	return says == SAYS_JOINED || (taken && says != SAYS_STARTED && f->nframe < FRAMES);
}
