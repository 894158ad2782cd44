/* reason_gate.c - threads that work only while their creator waits for them.
 *
 *	worker: for (;;) { if (load(pending[i]) == 0) continue; work; store(pending[i], 0); }
 *	creator: prepare; for (i) store(pending[i], n); own part; while (sum of loads) ; go on
 *
 * A gate of a thread is a variable, or an array of them, whose acquiring load its start
 * routine compares with 0: what only the other outcome leads to is its work, at whose end
 * it stores 0 there, with release.  Its creator opens the gate by storing anything else.
 * From there the creator is in a span, which ends where a loop is left whose end
 * depends on an acquiring load of the gate; it must end before the function returns.
 * What the creator does outside of all spans is ordered with the worker's work, by the
 * gate: before it was opened, or after it was found closed.
 *
 * Loads and stores may be in functions that are called for just that: one that returns the
 * load, and one that stores its parameter.  That the creator waits for all elements of the
 * gate is not shown, so this only lowers a rung.  What is run in spans, and
 * outside of work, is found by searches that leave out calls which are not meant
 * (reason_way.c); once for each thread, at the first question, linear in the call graph. */
#include "conc/given.h"
#include "conc/guess.h"
#include "race/reason_int.h"

enum { SLICED = 32, MAX_OPENINGS = 16 };

typedef struct Gate {
	ObjId obj;  /* 0: the thread has none */
	bool *idle; /* [InstId]: run by the thread other than in its work */
	Set work;   /* blocks of its start routine in which it works */
	bool *busy; /* [InstId]: run by the creator in spans */
	Set span;   /* instructions in them, of functions that open the gate */
	Set opens;  /* these functions */
} Gate;

typedef struct Finder {
	Reasons *rs;
	ThreadId thread;
	Gate *gate;
} Finder;

/* ---- loads and stores of the gate ------------------------------------------------- */

/* The one object that the address is of; 0: there are several. */
static ObjId
object_at(const Pta *p, InstId inst, Val addr)
{
	ObjId o = 0;

	SET_FOR (it, pta_pts(p, inst, addr)) {
		ObjId x = pta_slot(p, it.x)->obj;
		if (o && x != o)
			return 0;
		o = x;
	}
	return o;
}

static ObjId
object_of_load(const Races *r, InstId inst, const Ins *i)
{
	return i->op == OP_LOAD && order_acquires(i->order)
		   ? object_at(r->pta, inst, ins_arg(r->ir, i, 0))
		   : 0;
}

/* What the only function that is called returns, if that is such a load. */
static ObjId
object_returned(const Races *r, InstId inst, InsId call)
{
	u32 n;
	const Edge *e = pta_targets(r->pta, inst, call, &n);
	const Fn *f = n == 1 ? pta_fn(r->pta, e->to) : NULL;
	ObjId o = 0;

	for (BlockId b = 1; f && b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		const Ins *ret = ir_ins(r->ir, bl->ins + bl->nins - 1), *load;
		InsId id;
		ObjId x;
		if (ret->op != OP_RET)
			continue;
		load = ret->narg ? def_of(r->ir, f, ins_arg(r->ir, ret, 0), &id) : NULL;
		x = load ? object_of_load(r, e->to, load) : 0;
		if (!x || (o && x != o))
			return 0;
		o = x;
	}
	return o;
}

static ObjId
object_loaded(const Races *r, InstId inst, InsId def)
{
	const Ins *i = ir_ins(r->ir, def);

	return i->op == OP_CALL ? object_returned(r, inst, def) : object_of_load(r, inst, i);
}

/* Is v computed from a load of obj, or of anything if that is 0?  Returns the object. */
static ObjId
slice_loads(const Races *r, InstId inst, Val v, ObjId obj)
{
	const Fn *f = pta_fn(r->pta, inst);
	Val at[SLICED];
	u32 n = 0;

	at[n++] = v;
	for (u32 i = 0; i < n; i++) {
		InsId id;
		const Ins *ins = def_of(r->ir, f, at[i], &id);
		ObjId o = ins ? object_loaded(r, inst, id) : 0;
		bool phi = ins && ins->op == OP_PHI;

		if (o && (!obj || o == obj))
			return o;
		if (!ins || (!phi && ins->op != OP_CMP && ins->op != OP_BIN && ins->op != OP_CAST &&
			     ins->op != OP_COPY))
			continue;
		for (u32 k = phi; k < ins->narg && n < SLICED; k += 1 + phi) {
			Val x = ins_arg(r->ir, ins, k);
			u32 m = 0;
			while (m < n && at[m] != x)
				m++;
			if (m == n && val_is_reg(x))
				at[n++] = x;
		}
	}
	return 0;
}

static bool
is_zero(const Ir *ir, Val v)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	return c && ((c->kind == CONST_INT && !c->num) || c->kind == CONST_NULL);
}

/* The value that the instruction stores to obj with release, itself or by a function
 * that stores its parameter; 0: it does not. */
static Val
value_given(const Races *r, InstId inst, InsId id, ObjId obj)
{
	const Ins *i = ir_ins(r->ir, id);
	const Edge *e;
	const Fn *f;
	u32 n;

	if (i->op == OP_STORE)
		return order_releases(i->order) &&
			       object_at(r->pta, inst, ins_arg(r->ir, i, 0)) == obj
			   ? ins_arg(r->ir, i, 1)
			   : 0;
	if (i->op != OP_CALL)
		return 0;
	e = pta_targets(r->pta, inst, id, &n);
	f = n == 1 ? pta_fn(r->pta, e->to) : NULL;
	for (InsId k = f ? f->ins : 0; f && k < f->ins + f->nins; k++) {
		Val v = ir_ins(r->ir, k)->op == OP_STORE ? value_given(r, e->to, k, obj) : 0;
		if (val_is_reg(v) && v <= f->nparam && v < i->narg)
			return ins_arg(r->ir, i, v);
	}
	return 0;
}

/* ---- the thread's side ------------------------------------------------------------- */

/* The block that the branch goes to only if a load, of *obj, was not 0. */
static BlockId
open_side(const Races *r, InstId inst, const Block *b, ObjId *obj)
{
	const Fn *f = pta_fn(r->pta, inst);
	const Ins *last = ir_ins(r->ir, b->ins + b->nins - 1), *cmp;
	InsId id;
	BlockId to;
	u32 n;

	cmp = last->op == OP_CBR ? def_of(r->ir, f, ins_arg(r->ir, last, 0), &id) : NULL;
	if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE) ||
	    !is_zero(r->ir, ins_arg(r->ir, cmp, 1)))
		return 0;
	if (!def_of(r->ir, f, ins_arg(r->ir, cmp, 0), &id))
		return 0;
	*obj = object_loaded(r, inst, id);
	to = r->ir->succs.at[b->succ + (cmp->sub == CMP_EQ)];
	(void)walk_preds(r->walk, inst_fn(r, inst), to, &n);
	return *obj && n == 1 ? to : 0;
}

/* Is 0 given back in a block that `from` dominates? */
static bool
closes(const Races *r, InstId inst, BlockId from, ObjId obj)
{
	const Fn *f = pta_fn(r->pta, inst);
	FnId fn = inst_fn(r, inst);

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *bl = fn_block(r->ir, f, b);
		if (!walk_block_dominates(r->walk, fn, from, b))
			continue;
		for (InsId id = bl->ins; id < bl->ins + bl->nins; id++) {
			Val v = value_given(r, inst, id, obj);
			if (v && is_zero(r->ir, v))
				return true;
		}
	}
	return false;
}

static bool
find_work(Finder *f)
{
	const Races *r = f->rs->r;
	InstId start = thread_get(r->conc->threads, f->thread)->start;
	const Fn *fn = pta_fn(r->pta, start);

	for (BlockId b = 1; b <= fn->nblock; b++) {
		ObjId obj = 0;
		BlockId in = open_side(r, start, fn_block(r->ir, fn, b), &obj);
		if (!in || (f->gate->obj && f->gate->obj != obj) || !closes(r, start, in, obj))
			continue;
		f->gate->obj = obj;
		for (BlockId k = 1; k <= fn->nblock; k++)
			if (walk_block_dominates(r->walk, inst_fn(r, start), in, k))
				set_add(r->arena, &f->gate->work, k);
	}
	return f->gate->obj != 0;
}

/* ---- the creator's side ------------------------------------------------------------- */

/* Does the branch end a round of a loop that waits for the gate? */
static bool
ends_wait(const Races *r, InstId inst, BlockId b, ObjId obj)
{
	const Fn *f = pta_fn(r->pta, inst);
	const Block *bl = fn_block(r->ir, f, b);
	const Ins *last = ir_ins(r->ir, bl->ins + bl->nins - 1);

	return last->op == OP_CBR && walk_cyclic(r->walk, inst_fn(r, inst), b) &&
	       slice_loads(r, inst, ins_arg(r->ir, last, 0), obj);
}

/* Adds the span behind an opening; false if the function returns in it. */
static bool
add_span(Finder *f, InstId inst, InsId opening)
{
	const Races *r = f->rs->r;
	const Fn *fn = pta_fn(r->pta, inst);
	FnId id = inst_fn(r, inst);
	bool *seen = arena_array(r->arena, bool, fn->nblock + 1), ended = true;
	BlockId b = walk_block(r->walk, id, opening);
	InsId from = opening + 1;
	VecU32 work = {0};

	for (;;) {
		const Block *bl = fn_block(r->ir, fn, b);
		bool waits = ends_wait(r, inst, b, f->gate->obj);
		for (; from < bl->ins + bl->nins; from++) {
			set_add(r->arena, &f->gate->span, from);
			ended &= ir_ins(r->ir, from)->op != OP_RET;
		}
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId to = r->ir->succs.at[bl->succ + k];
			if (seen[to] || (waits && !walk_block_reaches(r->walk, id, to, b)))
				continue;
			seen[to] = true;
			vec_push(r->arena, &work, to);
		}
		if (!work.n)
			break;
		b = work.at[--work.n];
		from = fn_block(r->ir, fn, b)->ins;
	}
	arena_recycle(r->arena, seen, (fn->nblock + 1) * sizeof *seen);
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	return ended;
}

/* Adds the spans behind all openings in what the creator runs; false if there are none, or
 * one does not end. */
static bool
find_spans(Finder *f)
{
	const Races *r = f->rs->r;
	ThreadId up = thread_get(r->conc->threads, f->thread)->parent;
	u32 n = 0;

	SET_FOR (it, &r->conc->threads->insts[up]) {
		const Fn *fn = pta_fn(r->pta, it.x);
		for (InsId id = fn->ins; id < fn->ins + fn->nins; id++) {
			u8 op = ir_ins(r->ir, id)->op;
			Val v = op == OP_STORE || op == OP_CALL
				    ? value_given(r, it.x, id, f->gate->obj)
				    : 0;
			if (!v || is_zero(r->ir, v) ||
			    (op == OP_STORE && val_is_reg(v) && v <= fn->nparam))
				continue;
			if (n++ == MAX_OPENINGS || !add_span(f, it.x, id))
				return false;
			set_add(r->arena, &f->gate->opens, it.x);
		}
	}
	return n > 0;
}

/* ---- what runs then ----------------------------------------------------------------- */

/* Calls that are not meant are made neither in spans nor outside of work. */
static bool
shuns(void *ctx, u32 edge)
{
	const Finder *f = ctx;
	const Conc *c = f->rs->r->conc;

	return (c->ending && c->ending[edge]) ||
	       guess_doubts(c->guess, c->threads, f->thread, edge) ||
	       set_has(reason_rest_calls(f->rs), c->pta->edges.at[edge].ins);
}

/* Marks what the call of the edge may run. */
static void
mark_run(Finder *f, const Edge *e, bool *run)
{
	const Races *r = f->rs->r;
	Set insts = {0}, skipped = {0};

	if (e->fork || run[e->to] || shuns(f, (u32)(e - r->pta->edges.at)))
		return;
	given_reach(r->conc->threads->given, e->to, 0, shuns, f, &insts, &skipped);
	SET_FOR (it, &insts)
		run[it.x] = true;
	set_recycle(r->arena, &insts);
	set_recycle(r->arena, &skipped);
}

static void
find_run(Finder *f)
{
	const Races *r = f->rs->r;
	Gate *g = f->gate;
	const Inst *in = pta_inst(r->pta, thread_get(r->conc->threads, f->thread)->start);

	g->idle = arena_array(r->arena, bool, r->pta->insts.n + 1);
	g->busy = arena_array(r->arena, bool, r->pta->insts.n + 1);
	for (u32 k = in->edge; k < in->edge + in->nedge; k++)
		if (!set_has(&g->work, walk_block(r->walk, in->fn, r->pta->edges.at[k].ins)))
			mark_run(f, &r->pta->edges.at[k], g->idle);
	SET_FOR (it, &g->opens) {
		in = pta_inst(r->pta, it.x);
		for (u32 k = in->edge; k < in->edge + in->nedge; k++)
			if (set_has(&g->span, r->pta->edges.at[k].ins))
				mark_run(f, &r->pta->edges.at[k], g->busy);
	}
}

static const Gate *
gate_of(Reasons *rs, ThreadId t)
{
	const Races *r = rs->r;
	const Thread *th = thread_get(r->conc->threads, t);
	Finder f = {rs, t, NULL};

	if (!rs->gates)
		rs->gates = arena_array(r->arena, Gate *, r->conc->threads->at.n + 1);
	if (rs->gates[t])
		return rs->gates[t];
	f.gate = rs->gates[t] = arena_new(r->arena, Gate);
	if (!th->parent || !thread_get(r->conc->threads, th->parent)->unique || !find_work(&f))
		return f.gate;
	if (find_spans(&f))
		find_run(&f);
	else
		f.gate->obj = 0;
	return f.gate;
}

/* Does a's thread, at its work there, keep its creator waiting, which is b's? */
static bool
waited_for(Reasons *rs, const Access *a, const Access *b)
{
	const Races *r = rs->r;
	const Thread *th = thread_get(r->conc->threads, a->thread);
	const Gate *g;

	if (!th->parent || th->parent != b->thread)
		return false;
	g = gate_of(rs, a->thread);
	if (!g->obj || g->busy[b->inst] || set_has(&g->span, b->ins))
		return false;
	if (a->inst == th->start)
		return set_has(&g->work, walk_block(r->walk, inst_fn(r, a->inst), a->ins));
	return !g->idle[a->inst];
}

bool
reason_gate(Reasons *rs, u32 a, u32 b)
{
	const Access *x = access_at(rs->r, a), *y = access_at(rs->r, b);

	return waited_for(rs, x, y) || waited_for(rs, y, x);
}
