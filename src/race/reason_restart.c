/* reason_restart.c - threads of which the last one is stopped before the next is started.
 *
 *	stop() { if (running) { tell it; join(t); running = 0; } }
 *	start() { stop(); ...; create(&t); running = 1; }
 *
 * The order analysis does not know that the flag says whether there is a thread to wait
 * for.  Here a test of a flag settles a thread if, where the flag is set, every way
 * waits for it; if the flag is cleared only behind such a wait; and if who starts the
 * thread sets it, just before or behind.  Whatever starts the thread behind such a
 * test, or behind the call of a function that always comes by one, has but one at a time.
 * Of a table of threads, a loop waits for all of which such a flag, or the place of the handle,
 * says that they are there (reason_asked): these may also end by themselves, and say so.
 * That a join may name another thread of the same fork, or that the flag is not set on some way, is not
 * asked, so this only lowers a rung.  Each thread is looked at once. */
#include "race/reason_int.h"

enum { TARGETS = 4, DEPTH = 2 };

/* Is it a join that may wait for x, and does? */
static bool
waits_for(const Races *r, InstId inst, InsId id, const Thread *x)
{
	const Ins *i = ir_ins(r->ir, id);

	if (i->op != OP_JOIN || i->flags & (INS_TRY | INS_ONCE))
		return false;
	SET_FOR (it, pta_pts(r->pta, inst, ins_arg(r->ir, i, 0))) {
		const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);
		if (o->kind == OBJ_THREAD && o->ins == x->fork && o->inst == x->fork_inst)
			return true;
	}
	return false;
}

/* What the condition is where the flag that it tests is zero: 0 or 1; else 2. */
static u32
if_clear(const Ir *ir, const Fn *f, Val v)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);
	u32 x;

	if (!i || i->op == OP_LOAD)
		return i ? 0 : 2;
	if (i->op == OP_COPY || i->op == OP_CAST)
		return if_clear(ir, f, ins_arg(ir, i, 0));
	if (i->op != OP_CMP || (i->sub != CMP_EQ && i->sub != CMP_NE) ||
	    !val_is_const(ins_arg(ir, i, 1)))
		return 2;
	x = if_clear(ir, f, ins_arg(ir, i, 0));
	if (x == 2)
		return 2;
	return (x == (u64)ir_const(ir, ins_arg(ir, i, 1))->num) == (i->sub == CMP_EQ);
}

/* Does every way from block s, which only comes there, lead through block to? */
static bool
leads_through(const Races *r, FnId fn, BlockId s, BlockId to)
{
	const Fn *f = &r->ir->fns.at[fn];
	bool *seen = arena_array(r->arena, bool, f->nblock + 1), all = true;
	VecU32 todo = {0};

	vec_push(r->arena, &todo, s);
	while (todo.n && all) {
		BlockId b = todo.at[--todo.n];
		const Block *bl = fn_block(r->ir, f, b);
		if (b == to || seen[b])
			continue;
		seen[b] = true;
		all = walk_block_dominates(r->walk, fn, s, b) &&
		      ir_ins(r->ir, bl->ins + bl->nins - 1)->op != OP_RET;
		for (u32 k = 0; k < bl->nsucc; k++)
			vec_push(r->arena, &todo, r->ir->succs.at[bl->succ + k]);
	}
	arena_recycle(r->arena, todo.at, todo.cap * sizeof *todo.at);
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	return all;
}

/* Is the instruction passed only behind a wait for x, in its function? */
static bool
behind_wait(const Races *r, Point at, const Thread *x)
{
	const Fn *f = pta_fn(r->pta, at.inst);

	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (waits_for(r, at.inst, id, x) &&
		    walk_dominates(r->walk, inst_fn(r, at.inst), id, at.ins))
			return true;
	return false;
}

/* Does who starts x at one of these points store there, before or behind? */
static bool
by_starter(const Races *r, Point store, const Point *start, u32 n)
{
	for (u32 k = 0; k < n; k++) {
		FnId fn = inst_fn(r, store.inst);
		if (start[k].inst == store.inst &&
		    (walk_dominates(r->walk, fn, store.ins, start[k].ins) ||
		     walk_reaches(r->walk, fn, start[k].ins, store.ins)))
			return true;
	}
	return false;
}

/* Is what the load reads set by who starts x, and cleared only behind a wait for it? */
static bool
tells(const Races *r, Point load, const Thread *x, const Point *start, u32 n)
{
	bool set = false;

	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		Point at = {a->inst, a->ins};
		const Ins *i = ir_ins(r->ir, a->ins);
		Val v = i->op == OP_STORE ? ins_arg(r->ir, i, 1) : 0;
		if (!(a->flags & ACC_WRITE) || !reason_same_cell(r, at, load))
			continue;
		if (!val_is_const(v) || ir_const(r->ir, v)->kind != CONST_INT)
			return false;
		if (ir_const(r->ir, v)->num)
			set |= by_starter(r, at, start, n);
		else if (!behind_wait(r, at, x))
			return false;
	}
	return set;
}

/* Does control come to `at` (0: to any return) only by the branch? */
static bool
comes_by(const Races *r, FnId fn, InsId branch, InsId at)
{
	const Fn *f = &r->ir->fns.at[fn];

	if (at)
		return walk_dominates(r->walk, fn, branch, at);
	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(r->ir, id)->op == OP_RET && !walk_dominates(r->walk, fn, branch, id))
			return false;
	return true;
}

/* The branch of the block, if it tests whether there is an x and waits for it then; 0: it does not. */
static InsId
settling_branch(const Races *r, InstId inst, BlockId b, const Thread *x, const Point *start, u32 n)
{
	FnId fn = inst_fn(r, inst);
	const Fn *f = pta_fn(r->pta, inst);
	const Block *bl = fn_block(r->ir, f, b);
	InsId branch = bl->ins + bl->nins - 1, loads[SLICE_LOADS];
	const Ins *i = ir_ins(r->ir, branch);
	u32 clear = i->op == OP_CBR ? if_clear(r->ir, f, ins_arg(r->ir, i, 0)) : 2;
	BlockId s;

	if (clear == 2 || reason_slice(r->ir, f, ins_arg(r->ir, i, 0), loads) != 1)
		return 0;
	s = r->ir->succs.at[bl->succ + clear];
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		BlockId in;
		if (!waits_for(r, inst, id, x))
			continue;
		in = walk_block(r->walk, fn, id);
		if (walk_block_dominates(r->walk, fn, s, in) && leads_through(r, fn, s, in) &&
		    tells(r, (Point){inst, loads[0]}, x, start, n))
			return branch;
	}
	return 0;
}

/* Where the function has settled x on its way to `at` (0: to any return); 0: it may not have. */
static InsId
settled(const Races *r, InstId inst, InsId at, const Thread *x, const Point *start, u32 n,
	u32 depth)
{
	FnId fn = inst_fn(r, inst);
	const Fn *f = pta_fn(r->pta, inst);

	for (BlockId b = 1; b <= f->nblock; b++) {
		InsId branch = settling_branch(r, inst, b, x, start, n);
		if (branch && comes_by(r, fn, branch, at))
			return branch;
	}
	for (InsId id = f->ins; depth && id < f->ins + f->nins; id++) {
		u32 targets, k = 0;
		const Edge *to = pta_targets(r->pta, inst, id, &targets);
		if (ir_ins(r->ir, id)->op != OP_CALL || !targets || targets > TARGETS ||
		    !comes_by(r, fn, id, at))
			continue;
		while (k < targets && !to[k].fork && order_moves(r->conc->order, to[k].to) &&
		       settled(r, to[k].to, 0, x, start, n, depth - 1))
			k++;
		if (k == targets)
			return id;
	}
	return 0;
}

/* ---- all that there are ------------------------------------------------------------- */

/* Is it a number or address that is not zero, as far as one may know? */
static bool
is_something(const Races *r, InstId inst, Val v)
{
	if (val_is_const(v))
		return ir_const(r->ir, v)->kind != CONST_NULL &&
		       (ir_const(r->ir, v)->kind != CONST_INT || ir_const(r->ir, v)->num);
	return val_is_reg(v) && fn_reg(r->ir, pta_fn(r->pta, inst), v)->rt == RT_PTR;
}

/* Does the store clear what the load reads when the thread has ended: behind a wait for it, of the same
 * element, or at the end of its start routine, which then takes no lock and calls nothing more? */
static bool
is_cleared_last(const Races *r, Point store, Point load, const Thread *x)
{
	const Fn *f = pta_fn(r->pta, store.inst);
	FnId fn = inst_fn(r, store.inst);

	if (store.inst == load.inst)
		return behind_wait(r, store, x) &&
		       reason_alike(r->ir, f, ins_arg(r->ir, ir_ins(r->ir, store.ins), 0),
				    ins_arg(r->ir, ir_ins(r->ir, load.ins), 0));
	for (InsId id = f->ins; id < f->ins + f->nins; id++)
		if ((ir_ins(r->ir, id)->op == OP_ACQUIRE || ir_ins(r->ir, id)->op == OP_CALL) &&
		    walk_reaches(r->walk, fn, store.ins, id))
			return false;
	return store.inst == x->start;
}

/* Is what the load reads, of each thread in a table, set by who starts one there, and cleared
 * only when it has ended? */
static bool
tells_of_each(const Races *r, Point load, ThreadId t, const Point *start, u32 n)
{
	const Thread *x = thread_get(r->conc->threads, t);
	bool set = false;

	for (u32 k = 0; k < r->conc->accesses.n; k++) {
		const Access *a = access_at(r, k);
		Point at = {a->inst, a->ins};
		const Ins *i = ir_ins(r->ir, a->ins);
		Val v = i->op == OP_STORE ? ins_arg(r->ir, i, 1) : 0;
		bool some = is_something(r, a->inst, v);
		if (!(a->flags & ACC_WRITE) || a->flags & ACC_FREE ||
		    !reason_same_cell(r, at, load))
			continue;
		if (i->op == OP_FORK && a->ins == x->fork) {
			set = true;
			continue;
		}
		if (!(some ? by_starter(r, at, start, n)
			   : val_is_const(v) && is_cleared_last(r, at, load, x)))
			return false;
		set |= some;
	}
	return set;
}

bool
reason_asked(Reasons *rs, ThreadId t, Point join)
{
	const Races *r = rs->r;
	FnId fn = inst_fn(r, join.inst);
	const Fn *f = pta_fn(r->pta, join.inst);
	BlockId in = walk_block(r->walk, fn, join.ins);
	Point start[STARTS];
	u32 n = reason_starts(rs, t, start);

	if (!waits_for(r, join.inst, join.ins, thread_get(r->conc->threads, t)) ||
	    !walk_cyclic(r->walk, fn, in))
		return false;
	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		InsId loads[SLICE_LOADS];
		const Ins *i = ir_ins(r->ir, bl->ins + bl->nins - 1);
		u32 clear = i->op == OP_CBR ? if_clear(r->ir, f, ins_arg(r->ir, i, 0)) : 2;
		BlockId s = clear == 2 ? 0 : r->ir->succs.at[bl->succ + clear];
		if (s && walk_block_reaches(r->walk, fn, in, b) &&
		    walk_block_dominates(r->walk, fn, s, in) && leads_through(r, fn, s, in) &&
		    reason_slice(r->ir, f, ins_arg(r->ir, i, 0), loads) &&
		    tells_of_each(r, (Point){join.inst, loads[0]}, t, start, n))
			return true;
	}
	return false;
}

InsId
reason_settled(Reasons *rs, ThreadId t, Point at)
{
	const Races *r = rs->r;
	u32 *known = map_at(r->arena, &rs->settled, map_pair(t, at.ins));

	if (!*known) {
		const Thread *x = thread_get(r->conc->threads, t);
		Point start[STARTS];
		u32 n = reason_starts(rs, t, start);
		*known = 1 + settled(r, at.inst, at.ins, x, start, n, DEPTH);
	}
	return *known - 1;
}

static bool
is_nothing(const Ir *ir, Val v)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	return c && (c->kind == CONST_NULL || (c->kind == CONST_INT && !c->num));
}

/* Is the loop left where the call, or fork, at the point has returned zero: it was only tried again? */
static bool
left_when_done(const Races *r, Point at, BlockId head)
{
	FnId fn = inst_fn(r, at.inst);
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *i = ir_ins(r->ir, bl->ins + bl->nins - 1), *test;
		InsId id;
		if (i->op != OP_CBR || !walk_in_loop(r->walk, fn, head, b))
			continue;
		test = def_of(r->ir, f, ins_arg(r->ir, i, 0), &id);
		if (test && test->op == OP_CMP && (test->sub == CMP_EQ || test->sub == CMP_NE) &&
		    ins_arg(r->ir, test, 0) == ir_ins(r->ir, at.ins)->dst &&
		    is_nothing(r->ir, ins_arg(r->ir, test, 1)))
			return !walk_in_loop(r->walk, fn, head,
					     r->ir->succs.at[bl->succ + (test->sub == CMP_NE)]);
	}
	return false;
}

bool
reason_repeats(const Races *r, Point at, BlockId by)
{
	FnId fn = inst_fn(r, at.inst);
	BlockId b = walk_block(r->walk, fn, at.ins), head = walk_loop(r->walk, fn, b);

	if (!head)
		return walk_cyclic(r->walk, fn, b);
	while (head && ((by && walk_in_loop(r->walk, fn, head, by)) || left_when_done(r, at, head)))
		head = walk_loop_around(r->walk, fn, head);
	return head != 0;
}
