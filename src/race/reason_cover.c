/* reason_cover.c - does a loop of joins come to all that another loop started?
 *
 * Both count from zero by one, and the joins' bound is in memory that holds what
 * the loop of forks was bounded by (`pool->n = n`, then n forks), or that each
 * fork counts up, or that bounds both loops of one function that go through one array (`i < options.jobs`), if no
 * thread but their creator changes it, and that not between them.  Either loop may have a constant bound besides,
 * the same in both.
 * Single bounds that both loops have at hand are for the order analysis to judge.
 * A loop that is left earlier where a fork or a join says that it failed
 * counts as well: nothing that runs is left then, or the program gives up.  The loop of forks may be
 * that of a function which calls one to fork for it.
 * Where the two loops are within another one, all this is about one round of that.
 * Whether that memory is of one object is not shown, so it is a reason only. */
#include "conc/sign.h"
#include "race/reason_int.h"

enum { UP = 2, ROUND = 32, STEPS = 6 }; /* calls; blocks of a loop */

/* Is it what ins came to, as it is or negated? */
static bool
is_result(const Ir *ir, const Fn *f, Val v, InsId ins)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	while (i && (i->op == OP_COPY || i->op == OP_CAST || i->op == OP_FILTER ||
		     (i->op == OP_BIN && i->sub == BIN_SUB)))
		i = def_of(ir, f, ins_arg(ir, i, i->op == OP_BIN), &id);
	return i && (id == ins || (i->op == OP_NONDET && i->site == ir_ins(ir, ins)->site));
}

/* Is the loop with this head left only where a test of what ins came to says so: a loop that tries again? */
static bool
only_tries(const Races *r, FnId fn, BlockId head, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *end = ir_ins(r->ir, bl->ins + bl->nins - 1), *test;
		InsId id;
		bool ends = false;
		for (u32 k = 0; k < bl->nsucc; k++)
			ends |= !walk_in_loop(r->walk, fn, head, r->ir->succs.at[bl->succ + k]);
		if (!ends || !walk_in_loop(r->walk, fn, head, b))
			continue;
		test = end->op == OP_CBR ? def_of(r->ir, f, ins_arg(r->ir, end, 0), &id) : NULL;
		if (!test || test->op != OP_CMP ||
		    !is_result(r->ir, f, ins_arg(r->ir, test, 0), ins))
			return false;
	}
	return true;
}

BlockId
reason_loop(const Races *r, FnId fn, InsId ins)
{
	Map *known = &r->reasons->loops;
	u32 found = map_get(known, ins);
	BlockId head, around;

	if (found)
		return found - 1;
	head = walk_loop(r->walk, fn, walk_block(r->walk, fn, ins));
	while (head && (around = walk_loop_around(r->walk, fn, head)) != 0 &&
	       only_tries(r, fn, head, ins))
		head = around;
	map_put(r->arena, known, ins, head + 1);
	return head;
}

/* Is block b in the loop of ins, or in its cycle if there is none with a head? */
static bool
in_loop(const Races *r, FnId fn, BlockId head, BlockId in, BlockId b)
{
	return head ? walk_in_loop(r->walk, fn, head, b)
		    : walk_block_reaches(r->walk, fn, b, in) &&
			  walk_block_reaches(r->walk, fn, in, b);
}

static bool
leaves_loop(const Races *r, FnId fn, BlockId head, BlockId in, BlockId to)
{
	return head ? !walk_in_loop(r->walk, fn, head, to)
		    : !walk_block_reaches(r->walk, fn, to, in);
}

bool
reason_leaves_loop(const Races *r, FnId fn, BlockId to, InsId ins)
{
	return leaves_loop(r, fn, reason_loop(r, fn, ins), walk_block(r->walk, fn, ins), to);
}

bool
reason_ends_cycle(const Races *r, FnId fn, BlockId b, InsId ins)
{
	const Block *bl = fn_block(r->ir, &r->ir->fns.at[fn], b);
	BlockId head, in;

	if (bl->nsucc < 2 || !walk_cyclic(r->walk, fn, b))
		return false; /* most do not */
	head = reason_loop(r, fn, ins);
	in = walk_block(r->walk, fn, ins);
	if (!in_loop(r, fn, head, in, b))
		return false;
	for (u32 k = 0; k < bl->nsucc; k++)
		if (leaves_loop(r, fn, head, in, r->ir->succs.at[bl->succ + k]))
			return true;
	return false;
}

/* Does control come back to b, within the loop of ins, without passing the block of that? */
static bool
comes_back(const Races *r, FnId fn, BlockId b, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId head = reason_loop(r, fn, ins), in = walk_block(r->walk, fn, ins);
	bool *seen = arena_array(r->arena, bool, f->nblock + 1);
	VecU32 todo = {0};

	vec_push(r->arena, &todo, b);
	while (todo.n) {
		const Block *bl = fn_block(r->ir, f, todo.at[--todo.n]);
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId to = r->ir->succs.at[bl->succ + k];
			if (to == b)
				return true;
			if (to != in && !seen[to] && in_loop(r, fn, head, in, to))
				vec_push(r->arena, &todo, to);
			seen[to] = true;
		}
	}
	return false;
}

bool
reason_every_round(const Races *r, FnId fn, InsId ins)
{
	const Fn *f = &r->ir->fns.at[fn];
	BlockId head = reason_loop(r, fn, ins), in = walk_block(r->walk, fn, ins);
	u32 n = 0;

	for (BlockId b = 1; b <= f->nblock; b++) {
		if (b == in || !in_loop(r, fn, head, in, b))
			continue;
		if (++n > ROUND || comes_back(r, fn, b, ins))
			return false;
	}
	return true;
}

i64
reason_counts(const Races *r, FnId fn, Val index)
{
	const Fn *f = &r->ir->fns.at[fn];
	InsId id, sum;
	const Ins *phi = def_of(r->ir, f, index, &id);
	BlockId head;
	i64 step = 0;

	while (phi && phi->op == OP_CAST)
		phi = def_of(r->ir, f, ins_arg(r->ir, phi, 0), &id);
	if (!phi || phi->op != OP_PHI)
		return 0;
	head = walk_loop(r->walk, fn, walk_block(r->walk, fn, id));
	for (u32 k = 0; k + 1 < phi->narg; k += 2) {
		const Ins *i = def_of(r->ir, f, ins_arg(r->ir, phi, k + 1), &sum);
		Val by =
		    i && i->op == OP_BIN && i->sub == BIN_ADD && ins_arg(r->ir, i, 0) == phi->dst
			? ins_arg(r->ir, i, 1)
			: 0;
		if (val_is_const(by) && ir_const(r->ir, by)->kind == CONST_INT &&
		    (!step || step == ir_const(r->ir, by)->num))
			step = ir_const(r->ir, by)->num;
		else if (!head || walk_in_loop(r->walk, fn, head, ins_arg(r->ir, phi, k)))
			return 0;
	}
	return step;
}

/* Is it a comparison of the same counter with a constant? */
static bool
is_limit(const Ir *ir, const Ins *test, const Ins *other)
{
	Val v = ins_arg(ir, test, 1);

	return ins_arg(ir, test, 0) == ins_arg(ir, other, 0) && val_is_const(v) &&
	       ir_const(ir, v)->kind == CONST_INT && test->sub == other->sub;
}

/* The same as below; with *limit, besides a test of a constant, which is put there. */
static const Ins *
find_exit_test(const Races *r, FnId fn, InsId ins, Val *limit)
{
	const Fn *f = &r->ir->fns.at[fn];
	const Ins *found = NULL;
	InsId id;

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *end = ir_ins(r->ir, bl->ins + bl->nins - 1), *test;
		if (!reason_ends_cycle(r, fn, b, ins))
			continue;
		test = end->op == OP_CBR ? def_of(r->ir, f, ins_arg(r->ir, end, 0), &id) : NULL;
		if (test && test->op == OP_CMP && is_result(r->ir, f, ins_arg(r->ir, test, 0), ins))
			continue;
		if (!test || test->op != OP_CMP)
			return NULL;
		if (!found) {
			found = test;
			continue;
		}
		if (!limit || *limit)
			return NULL;
		if (is_limit(r->ir, found, test)) {
			*limit = ins_arg(r->ir, found, 1);
			found = test;
		} else if (is_limit(r->ir, test, found)) {
			*limit = ins_arg(r->ir, test, 1);
		} else {
			return NULL;
		}
	}
	return found;
}

/* The same, looked for once. */
static const Ins *
exit_test(const Races *r, FnId fn, InsId ins, Val *limit)
{
	Reasons *rs = r->reasons;
	u32 *known = map_at(r->arena, &rs->exits[limit != NULL], ins);

	if (!*known) {
		ExitTest found = {0};
		found.test = find_exit_test(r, fn, ins, limit ? &found.limit : NULL);
		vec_push(r->arena, &rs->exit_tests, found);
		*known = rs->exit_tests.n;
	}
	if (limit)
		*limit = rs->exit_tests.at[*known - 1].limit;
	return rs->exit_tests.at[*known - 1].test;
}

const Ins *
reason_exit_test(const Races *r, FnId fn, InsId ins)
{
	return exit_test(r, fn, ins, NULL);
}

bool
reason_alike(const Ir *ir, const Fn *f, Val v, Val w)
{
	InsId id;
	const Ins *a = def_of(ir, f, v, &id), *b = def_of(ir, f, w, &id);

	return v == w || (a && b && a->op == OP_LOAD && b->op == OP_LOAD &&
			  same_address(ir, f, ins_arg(ir, a, 0), ins_arg(ir, b, 0)));
}

Val
reason_first_count(const Ir *ir, const Fn *f, Val counter)
{
	InsId id;
	const Ins *phi = def_of(ir, f, counter, &id);

	for (u32 k = 1; phi && phi->op == OP_PHI && k < phi->narg; k += 2)
		if (val_is_const(ins_arg(ir, phi, k)))
			return ins_arg(ir, phi, k);
	return 0;
}

/* Are the two computed alike, step by step? */
static bool
computed_alike(const Ir *ir, const Fn *f, Val v, Val w, u32 depth)
{
	InsId id;
	const Ins *a = def_of(ir, f, v, &id), *b = def_of(ir, f, w, &id);

	if (v == w)
		return true;
	if (!depth || !a || !b || a->op != b->op || a->sub != b->sub || a->imm != b->imm ||
	    a->narg != b->narg ||
	    (a->op != OP_LOAD && a->op != OP_FIELD && a->op != OP_INDEX && a->op != OP_CAST &&
	     a->op != OP_COPY))
		return false;
	for (u32 k = 0; k < a->narg; k++)
		if (!computed_alike(ir, f, ins_arg(ir, a, k), ins_arg(ir, b, k), depth - 1))
			return false;
	return true;
}

/* ---- a number that says how many were started --------------------------- */

/* A loop from zero up by one, and what it goes up to. */
typedef struct Counted {
	InstId inst;
	const Fn *f;
	Val counter, bound;
	Val limit; /* the constant that bounds it, too; 0 none */
} Counted;

static bool
counted_loop(const Races *r, InstId inst, InsId ins, Counted *out)
{
	FnId fn = inst_fn(r, inst);
	const Fn *f = &r->ir->fns.at[fn];
	Val limit = 0;
	const Ins *test = exit_test(r, fn, ins, &limit);
	Val counter = test ? ins_arg(r->ir, test, 0) : 0, zero;

	if (!counter || !val_is_reg(counter) || reason_counts(r, fn, counter) != 1)
		return false;
	zero = reason_first_count(r->ir, f, counter);
	*out = (Counted){inst, f, counter, ins_arg(r->ir, test, 1), limit};
	return zero && !ir_const(r->ir, zero)->num;
}

/* The shape of the memory that the bound is loaded from; 0 it is not. */
static u32
bound_shape(const Races *r, const Counted *c)
{
	InsId id;
	const Ins *load = def_of(r->ir, c->f, c->bound, &id);

	return load && load->op == OP_LOAD ? reason_read_shape(r, c->inst, id) : 0;
}

typedef struct Counting {
	const Races *r;
	const Counted *fork; /* its loop; null: not known */
	u32 forks;
} Counting;

/* Does it count by one behind a fork of the same loop? */
static bool
counts_fork(Counting *c, const Writer *w, Val v)
{
	const Ir *ir = c->r->ir;
	FnId fn = inst_fn(c->r, w->inst);
	const Fn *f = &ir->fns.at[fn];
	InsId id;
	const Ins *sum = def_of(ir, f, v, &id), *load;

	load = sum && sum->op == OP_BIN && sum->sub == BIN_ADD
		   ? def_of(ir, f, ins_arg(ir, sum, 0), &id)
		   : NULL;
	if (!load || load->op != OP_LOAD || !val_is_const(ins_arg(ir, sum, 1)) ||
	    ir_const(ir, ins_arg(ir, sum, 1))->num != 1 ||
	    !same_address(ir, f, ins_arg(ir, load, 0), ins_arg(ir, ir_ins(ir, w->ins), 0)))
		return false;
	for (id = f->ins; id < f->ins + f->nins; id++)
		if (ir_ins(ir, id)->op == OP_FORK && walk_dominates(c->r->walk, fn, id, w->ins) &&
		    walk_reaches(c->r->walk, fn, w->ins, id)) {
			c->forks++;
			return true;
		}
	return false;
}

/* Is the store one of zero, or of as many as are or were started? */
static bool
stores_count(void *ctx, const Writer *w)
{
	Counting *c = ctx;
	const Ir *ir = c->r->ir;
	const Ins *store = ir_ins(ir, w->ins);
	Val v = store->op == OP_STORE ? ins_arg(ir, store, 1) : 0;

	if (!v)
		return false;
	if (val_is_const(v) && ir_const(ir, v)->kind == CONST_INT && !ir_const(ir, v)->num)
		return true;
	if (c->fork && inst_fn(c->r, w->inst) == inst_fn(c->r, c->fork->inst) &&
	    reason_alike(ir, c->fork->f, v, c->fork->bound)) {
		c->forks++;
		return true;
	}
	return counts_fork(c, w, v);
}

/* The loop that the fork, or in functions without one the call of what forks, is in; false if there
 * is none, or more than one. */
static bool
forking_loop(const Races *r, InstId inst, InsId ins, Counted *out)
{
	for (u32 up = 0; up <= UP; up++) {
		const Inst *in = pta_inst(r->pta, inst);
		const Edge *e;
		if (walk_cyclic(r->walk, in->fn, walk_block(r->walk, in->fn, ins)))
			return counted_loop(r, inst, ins, out);
		if (in->ncaller != 1)
			return false;
		e = &r->pta->edges.at[r->pta->callers.at[in->caller]];
		if (e->fork)
			return false;
		inst = e->from;
		ins = e->ins;
	}
	return false;
}

/* A loop of forks and one of joins, of one function. */
typedef struct Between {
	const Races *r;
	ThreadId by;
	InstId inst;
	InsId fork, join;
	InstId in_join; /* whose that is */
	bool handle;    /* it is asked of the handles, not of the bound */
} Between;

/* Is the store by their creator, and not behind the one loop and before the other?  To handles,
 * it is one of zero before both, or the fork's. */
static bool
stores_elsewhere(void *ctx, const Writer *w)
{
	const Between *b = ctx;
	const Races *r = b->r;
	const Fn *f = pta_fn(r->pta, b->inst);
	const Ins *i = ir_ins(r->ir, w->ins);
	Set above = {0};
	bool called = false;

	if (w->thread != b->by)
		return false;
	if (w->inst == b->inst && w->ins == b->fork)
		return b->handle;
	if (b->handle && (w->inst != b->inst || i->op != OP_STORE ||
			  sign_of(r->ir, ins_arg(r->ir, i, 1)) != SIGN_ZERO))
		return false;
	if (w->inst == b->inst)
		return !walk_reaches_in_round(r->walk, inst_fn(r, b->inst), b->fork, w->ins) ||
		       (!b->handle &&
			!walk_reaches_in_round(r->walk, inst_fn(r, b->inst), w->ins, b->join));
	above_add(r->reasons->above, w->inst, &above);
	for (InsId id = f->ins; id < f->ins + f->nins && !called; id++)
		called = ir_ins(r->ir, id)->op == OP_CALL &&
			 reason_calls(r->reasons, b->inst, id, &above) &&
			 walk_reaches_in_round(r->walk, inst_fn(r, b->inst), b->fork, id) &&
			 walk_reaches_in_round(r->walk, inst_fn(r, b->inst), id, b->join);
	set_recycle(r->arena, &above);
	return !called;
}

/* Does the index count by the loop's counter? */
static bool
is_counter(const Ir *ir, const Fn *f, Val v, Val counter)
{
	InsId id;
	const Ins *i;

	while (v != counter && (i = def_of(ir, f, v, &id)) && i->op == OP_CAST)
		v = ins_arg(ir, i, 0);
	return v == counter;
}

/* Does each round of the joins wait for what the same round of the forks has put in an element of
 * one array, and nobody else puts anything there? */
static bool
same_elements(Between *b, const Counted *join, const Counted *fork)
{
	const Races *r = b->r;
	const Ir *ir = r->ir;
	const Fn *f = join->f;
	InsId load, id;
	const Ins *handle = def_of(ir, f, ins_arg(ir, ir_ins(ir, b->join), 0), &load);
	const Ins *from =
	    handle && handle->op == OP_LOAD ? def_of(ir, f, ins_arg(ir, handle, 0), &id) : NULL;
	const Ins *to = def_of(ir, f, ins_arg(ir, ir_ins(ir, b->fork), 0), &id);
	u32 shape;

	if (!set_single(pta_pts(r->pta, b->inst, ins_arg(ir, ir_ins(ir, b->join), 0))))
		return false; /* another fork may have put its own there */
	if (!from || !to || from->op != OP_INDEX || to->op != OP_INDEX || from->imm != to->imm ||
	    !computed_alike(ir, f, ins_arg(ir, from, 0), ins_arg(ir, to, 0), STEPS) ||
	    !is_counter(ir, f, ins_arg(ir, from, 1), join->counter) ||
	    !is_counter(ir, f, ins_arg(ir, to, 1), fork->counter))
		return false;
	shape = reason_read_shape(r, b->inst, load);
	b->handle = true;
	return shape && reason_stores(r->reasons, shape, stores_elsewhere, b);
}

/* Do both go through one array up to the same number? */
static bool
same_number(Between *b, const Counted *join, const Counted *fork)
{
	u32 shape = bound_shape(b->r, join);

	if (join->inst != fork->inst || fork->inst != b->inst)
		return false;
	if (join->bound != fork->bound &&
	    !(shape && shape == bound_shape(b->r, fork) &&
	      reason_stores(b->r->reasons, shape, stores_elsewhere, b)))
		return false;
	return same_elements(b, join, fork);
}

/* The variable that v is loaded from, or is the address of; 0: it is none. */
static Val
named(const Ir *ir, const Fn *f, Val v, bool *loaded)
{
	InsId id;
	const Ins *i = def_of(ir, f, v, &id);

	*loaded = i && i->op == OP_LOAD;
	v = *loaded ? ins_arg(ir, i, 0) : v;
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_GLOBAL ? v : 0;
}

/* Is it the element of an array that a variable has, as the loop counts? */
static Val
named_element(const Ir *ir, const Counted *loop, Val addr, i64 *size, bool *loaded)
{
	InsId id;
	const Ins *at = def_of(ir, loop->f, addr, &id);

	if (!at || at->op != OP_INDEX ||
	    !is_counter(ir, loop->f, ins_arg(ir, at, 1), loop->counter))
		return 0;
	*size = at->imm;
	return named(ir, loop->f, ins_arg(ir, at, 0), loaded);
}

/* Is the store by the creator and not behind the start, or behind the joins? */
static bool
stores_outside(void *ctx, const Writer *w)
{
	const Between *b = ctx;
	const Races *r = b->r;
	const Point at = {w->inst, w->ins};

	if (w->thread != b->by)
		return false;
	if (w->inst == b->inst && w->ins == b->fork)
		return true;
	return reason_not_behind(r, (Point){b->inst, b->fork}, at) ||
	       (w->inst == b->in_join &&
		!walk_reaches(r->walk, inst_fn(r, w->inst), w->ins, b->join));
}

static bool
only_outside(Between *b, const Fn *f, InstId inst, Val loaded)
{
	InsId id;
	const Ins *load = def_of(b->r->ir, f, loaded, &id);
	u32 shape = load && load->op == OP_LOAD ? reason_read_shape(b->r, inst, id) : 0;

	return shape && reason_stores(b->r->reasons, shape, stores_outside, b);
}

/* The same of two functions: number and array are variables. */
static bool
same_variables(Between *b, const Counted *join, const Counted *fork)
{
	const Ir *ir = b->r->ir;
	Val handle = ins_arg(ir, ir_ins(ir, b->join), 0), x, y;
	InsId id;
	const Ins *load = def_of(ir, join->f, handle, &id), *at;
	bool loaded, other;
	i64 size = 0, step = 0;

	x = named(ir, join->f, join->bound, &loaded);
	if (!x || !loaded || x != named(ir, fork->f, fork->bound, &loaded) || !loaded || !load ||
	    load->op != OP_LOAD || fork->inst != b->inst ||
	    !set_single(pta_pts(b->r->pta, b->in_join, handle)))
		return false;
	x = named_element(ir, join, ins_arg(ir, load, 0), &size, &loaded);
	y = named_element(ir, fork, ins_arg(ir, ir_ins(ir, b->fork), 0), &step, &other);
	if (!x || x != y || size != step || loaded != other)
		return false;
	at = def_of(ir, join->f, ins_arg(ir, load, 0), &id);
	return only_outside(b, join->f, b->in_join, join->bound) &&
	       only_outside(b, join->f, b->in_join, handle) &&
	       (!loaded || only_outside(b, join->f, b->in_join, ins_arg(ir, at, 0)));
}

/* The thread that runs the fork; 0: several do. */
static ThreadId
forked_by(const Races *r, const Obj *fork)
{
	const Threads *th = r->conc->threads;
	ThreadId by = 0;

	for (ThreadId t = 2; t < th->at.n; t++) {
		const Thread *x = thread_get(th, t);
		if (x->fork != fork->ins || x->fork_inst != fork->inst)
			continue;
		if (by && by != x->parent)
			return 0;
		by = x->parent;
	}
	return by;
}

/* Does the loop of joins come to all that the fork starts? */
static bool
covers(const Races *r, Point in, const Counted *join, const Obj *fork)
{
	Counted at;
	bool counted = forking_loop(r, fork->inst, fork->ins, &at);
	u32 shape = bound_shape(r, join);
	Counting c = {r, counted ? &at : NULL, 0};
	Between b = {r, forked_by(r, fork), fork->inst, fork->ins, in.ins, in.inst, false};

	if (join->limit &&
	    !(counted && at.limit && reason_alike(r->ir, join->f, join->limit, at.limit)))
		return false;
	if (counted && (same_number(&b, join, &at) || same_variables(&b, join, &at)))
		return true;
	return shape && reason_stores(r->reasons, shape, stores_count, &c) && c.forks;
}

/* Does each round come to the join, but for those in which the handle is null? */
static bool
joins_each(const Races *r, FnId fn, InsId join)
{
	const Ir *ir = r->ir;
	const Fn *f = &ir->fns.at[fn];
	BlockId b = walk_idom(r->walk, fn, walk_block(r->walk, fn, join));
	const Block *bl = b ? fn_block(ir, f, b) : NULL;
	const Ins *end = bl ? ir_ins(ir, bl->ins + bl->nins - 1) : NULL;
	InsId id, loads[SLICE_LOADS];
	const Ins *handle = def_of(ir, f, ins_arg(ir, ir_ins(ir, join), 0), &id);

	if (reason_every_round(r, fn, join))
		return true;
	return end && end->op == OP_CBR && handle && handle->op == OP_LOAD &&
	       reason_every_round(r, fn, bl->ins + bl->nins - 1) &&
	       reason_slice(ir, f, ins_arg(ir, end, 0), loads) &&
	       computed_alike(ir, f, ir_ins(ir, loads[0])->dst, handle->dst, STEPS);
}

bool
reason_covers_forks(const Races *r, InstId inst, InsId join)
{
	Counted loop;
	u32 n = 0;

	if (order_joins_likely(r->conc->order, inst, join))
		return true;
	if (!counted_loop(r, inst, join, &loop) || !joins_each(r, inst_fn(r, inst), join))
		return false;
	SET_FOR (it, pta_pts(r->pta, inst, ins_arg(r->ir, ir_ins(r->ir, join), 0))) {
		const Obj *o = pta_obj(r->pta, pta_slot(r->pta, it.x)->obj);
		if (o->kind != OBJ_THREAD)
			continue;
		if (!covers(r, (Point){inst, join}, &loop, o))
			return false;
		n++;
	}
	return n > 0;
}
