/* init.c - see init.h.
 *
 * Within a function, a class is initialised where every way leads past a cinit
 * of it, or past a call of a function all of whose returns lie behind one, NESTED calls deep
 * at most; an exception may have left a block before any of its own.  Downwards
 * in the call graph, an instance starts with what holds at all its calls, and
 * a thread with nothing: a creator that is itself within an initialiser has
 * passed it too.  Sets only shrink, so both end.
 *
 * What holds at entry is a row of bits that shrinks in place: large programs initialise
 * thousands of classes, differently at nearly every call.  Where an access is known to be within one
 * call, what holds at that call holds as well: a class stays initialised, and its initialiser
 * goes on once that returns.  That a class is initialised tells
 * nothing of objects that its initialiser does not touch, so an access is told only of those
 * classes that have touched one of its objects: few, and mostly one. */
#include "conc/init.h"

#include "base/graph.h"
#include "base/heap.h"
#include "conc/access.h"

#include <string.h>

enum {
	NESTED = 3,
	FEW = 20000 /* instances */
};

/* Classes with an initialiser are numbered from 0.  Bit 2 * n of a set or row says that class
 * number n is initialised, or being so by this very thread: what initialisers and others call runs
 * in one of the two.  Bit 2 * n + 1 says that its initialiser is running in this thread. */
struct Inits {
	Arena *arena;
	const Pta *p;
	const Ir *ir;
	const Flows *flows;
	SetPool sets;
	u32 *number;    /* [ClassId] */
	VecU32 classes; /* [number] */
	SetId **local;  /* [FnId][block]: at its start, of the function's own */
	u32 *returned;  /* [FnId]: SetId + 1 of what all its returns have behind them */
	u32 nested;     /* calls whose returns are being looked at */
	Map local_at;   /* InsId -> SetId + 1 */
	u32 words;      /* of a row */
	u64 *entry;     /* [InstId]: rows */
	bool *reached;  /* [InstId] */
	u32 *rank;      /* [InstId] */
	bool *queued;   /* [InstId] */
	SetId *inside;  /* [ObjId]: numbers of the classes whose initialisers touch it */
	Map told;       /* set of slots -> SetId + 1: those of its objects */
	Set now;        /* what inits_at returned last */
};

static SetId returns_of(Inits *x, FnId f);

static SetId
pass(Inits *x, SetId s, const Ins *ins)
{
	Val v = ins->op == OP_CALL && ins->sub == CALL_PLAIN ? ins_arg(x->ir, ins, 0) : 0;

	if (v && val_is_const(v) && ir_const(x->ir, v)->kind == CONST_FN)
		return setpool_union(&x->sets, s, returns_of(x, ir_const(x->ir, v)->ref));
	if (ins->op != OP_CINIT || !x->ir->classes.at[ins->aux].cinit)
		return s;
	return setpool_add(&x->sets, s, 2 * x->number[ins->aux]);
}

static u64 *
row_of(const Inits *x, InstId inst)
{
	return x->entry + (size_t)inst * x->words;
}

static bool
row_has(const u64 *row, u32 bit)
{
	return row[bit / 64] >> bit % 64 & 1;
}

/* ---- within a function --------------------------------------------------- */

static bool
flow_to(Inits *x, SetId *in, bool *seen, BlockId b, SetId s)
{
	SetId all = seen[b] ? setpool_meet(&x->sets, in[b], s) : s;
	bool news = !seen[b] || all != in[b];

	seen[b] = true;
	in[b] = all;
	return news;
}

static SetId *
solve_fn(Inits *x, FnId f)
{
	const Fn *fn = &x->ir->fns.at[f];
	const Flow *flow = flow_of(x->flows, f);
	SetId *in = arena_array(x->arena, SetId, fn->nblock + 1);
	bool *seen = arena_array(x->arena, bool, fn->nblock + 1), again = true;

	flow_to(x, in, seen, 1, 0);
	while (again) {
		again = false;
		for (u32 i = 0; i < flow->nrpo; i++) {
			BlockId b = flow->rpo[i];
			const Block *block = fn_block(x->ir, fn, b);
			SetId s = in[b];
			if (!seen[b])
				continue;
			for (u32 k = 0; k < block->nins; k++)
				s = pass(x, s, ir_ins(x->ir, block->ins + k));
			for (u32 k = 0; k < block->nsucc; k++)
				again |= flow_to(x, in, seen, x->ir->succs.at[block->succ + k], s);
			if (block->exc)
				again |= flow_to(x, in, seen, block->exc, in[b]);
		}
	}
	return in;
}

/* What is initialised wherever the function returns. */
static SetId
returns_of(Inits *x, FnId f)
{
	const Fn *fn = &x->ir->fns.at[f];
	SetId all = 0;
	bool any = false;

	if (x->returned[f] || x->nested == NESTED || !fn->nblock)
		return x->returned[f] ? x->returned[f] - 1 : 0;
	x->returned[f] = 1; /* nothing is known of a cycle */
	x->nested++;
	if (!x->local[f])
		x->local[f] = solve_fn(x, f);
	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(x->ir, fn, b);
		SetId s = x->local[f][b];
		if (!block->nins || ir_ins(x->ir, block->ins + block->nins - 1)->op != OP_RET)
			continue;
		for (u32 k = 0; k < block->nins; k++)
			s = pass(x, s, ir_ins(x->ir, block->ins + k));
		all = any ? setpool_meet(&x->sets, all, s) : s;
		any = true;
	}
	x->nested--;
	x->returned[f] = all + 1;
	return all;
}

/* What the function itself has initialised before ins. */
static SetId
before(Inits *x, FnId f, InsId ins)
{
	const Fn *fn = &x->ir->fns.at[f];
	BlockId b = cfg_block_of(x->ir, fn, ins);
	u32 known = map_get(&x->local_at, ins);
	SetId s;

	if (known)
		return known - 1;
	if (!x->local[f])
		x->local[f] = solve_fn(x, f);
	s = x->local[f][b];
	for (InsId i = fn_block(x->ir, fn, b)->ins; i < ins; i++)
		s = pass(x, s, ir_ins(x->ir, i));
	map_put(x->arena, &x->local_at, ins, s + 1);
	return s;
}

/* ---- down the calls ------------------------------------------------------ */

/* Callers come before what they call, so that most instances are entered in all states that
 * they have before they are looked at; what lies on a cycle is looked at again. */
static void
rank(Inits *x)
{
	u32 n = x->p->insts.n;
	Arena scratch;
	Vec(Arc) arcs = {0};
	Graph g;
	Sccs sccs;

	x->rank = arena_array(x->arena, u32, n);
	arena_init(&scratch, x->arena->budget);
	for (u32 k = 0; k < x->p->edges.n; k++)
		if (!x->p->edges.at[k].fork)
			vec_push(&scratch, &arcs,
				 (Arc){x->p->edges.at[k].from, x->p->edges.at[k].to});
	graph_build(&g, &scratch, n, arcs.at, arcs.n);
	graph_sccs(&sccs, &scratch, &g);
	for (u32 k = 0; k < n; k++)
		x->rank[sccs.nodes[k]] = n - k;
	arena_release(&scratch);
}

static void
enter(Inits *x, InstId to, const u64 *row, Heap *todo)
{
	u64 *entry = row_of(x, to), lost = !x->reached[to];

	for (u32 i = 0; i < x->words; i++) {
		u64 now = x->reached[to] ? entry[i] & row[i] : row[i];
		lost |= now ^ entry[i];
		entry[i] = now;
	}
	x->reached[to] = true;
	if (lost && !x->queued[to]) {
		heap_push(x->arena, todo, (u64)x->rank[to] << 32 | to);
		x->queued[to] = true;
	}
}

/* Enters what inst calls; row is scratch. */
static void
call_all(Inits *x, InstId inst, u64 *row, Heap *todo)
{
	const Inst *in = pta_inst(x->p, inst);

	for (u32 k = in->edge; k < in->edge + in->nedge; k++) {
		const Edge *e = &x->p->edges.at[k];
		const Ins *ins = ir_ins(x->ir, e->ins);
		u32 bit;
		if (e->fork)
			continue;
		memcpy(row, row_of(x, inst), x->words * sizeof *row);
		set_to_row(setpool_get(&x->sets, before(x, in->fn, e->ins)), row);
		bit = 2 * x->number[ins->op == OP_CINIT ? ins->aux : 0];
		if (ins->op == OP_CINIT)
			row[bit / 64] |= 3ull << bit % 64;
		enter(x, e->to, row, todo);
	}
}

static void
solve_calls(Inits *x, const Threads *t)
{
	u64 *row = arena_array(x->arena, u64, x->words);
	Heap todo = {0};

	for (ThreadId id = 1; id < t->at.n; id++)
		enter(x, thread_get(t, id)->start, row, &todo);
	while (todo.n) {
		InstId from = (InstId)heap_pop(&todo);
		x->queued[from] = false;
		call_all(x, from, row, &todo);
	}
}

/* ---- what initialisers touch --------------------------------------------------------- */

/* The numbers of the classes within whose initialisers inst runs, wherever it is called. */
static SetId
running_in(Inits *x, InstId inst)
{
	const u64 *row = row_of(x, inst);
	SetId s = 0;

	for (u32 n = 0; n < x->classes.n; n++)
		if (row_has(row, 2 * n + 1))
			s = setpool_add(&x->sets, s, n);
	return s;
}

/* Many pointers share one set; seen has those that were touched in these initialisers. */
static void
touch_all(Inits *x, const Set *slots, SetId by, Map *seen)
{
	u32 *last = map_at(x->arena, seen, (uintptr_t)slots);

	if (*last == by)
		return;
	*last = by;
	SET_FOR (it, slots) {
		SetId *inside = &x->inside[pta_slot(x->p, it.x)->obj];
		*inside = setpool_union(&x->sets, *inside, by);
	}
}

static void
touch_in(Inits *x, InstId inst, SetId by, Map *seen)
{
	const Fn *fn = pta_fn(x->p, inst);
	Touch touch[2];

	for (InsId i = fn->ins; by && i < fn->ins + fn->nins; i++)
		for (u32 k = access_touches(x->ir, i, touch); k-- > 0;)
			touch_all(x, pta_pts(x->p, inst, touch[k].addr), by, seen);
}

static bool
is_library(const Inits *x, InstId inst)
{
	return pta_fn(x->p, inst)->flags & (FN_LIBRARY | FN_SYNTHETIC);
}

/* Of a library's code, which runs elsewhere too, what initialisers call: by[i] are the classes
 * in whose initialisers inst i may run so.  Sets only grow, so this ends. */
static SetId *
called_from(Inits *x, const SetId *running)
{
	SetId *by = arena_array(x->arena, SetId, x->p->insts.n);
	VecU32 todo = {0};

	for (InstId i = 1; i < x->p->insts.n; i++)
		if (running[i] && !is_library(x, i))
			vec_push(x->arena, &todo, i);
	while (todo.n) {
		InstId i = todo.at[--todo.n];
		const Inst *in = pta_inst(x->p, i);
		SetId from = is_library(x, i) ? by[i] : running[i];
		for (u32 k = in->edge; k < in->edge + in->nedge; k++) {
			const Edge *e = &x->p->edges.at[k];
			SetId all = setpool_union(&x->sets, by[e->to], from);
			if (e->fork || !is_library(x, e->to) || all == by[e->to])
				continue;
			by[e->to] = all;
			vec_push(x->arena, &todo, e->to);
		}
	}
	return by;
}

/* Lists what initialisers touch. */
static void
touch_each(Inits *x)
{
	SetId *running = arena_array(x->arena, SetId, x->p->insts.n), *by = NULL;
	Map seen = {0};

	for (InstId i = 1; i < x->p->insts.n; i++)
		running[i] = x->reached[i] ? running_in(x, i) : 0;
	if (x->p->insts.n < FEW)
		by = called_from(x, running);
	for (InstId i = 1; i < x->p->insts.n; i++)
		touch_in(x, i, by ? setpool_union(&x->sets, running[i], by[i]) : running[i], &seen);
}

static void
number_classes(Inits *x)
{
	x->number = arena_array(x->arena, u32, x->ir->classes.n + 1);
	for (ClassId c = 1; c < x->ir->classes.n; c++)
		if (x->ir->classes.at[c].cinit) {
			x->number[c] = x->classes.n;
			vec_push(x->arena, &x->classes, c);
		}
	x->words = (2 * x->classes.n + 63) / 64;
}

Inits *
inits_solve(Arena *a, const Threads *t)
{
	Inits *x = arena_new(a, Inits);
	u32 n = t->pta->insts.n;

	*x = (Inits){.arena = a, .p = t->pta, .ir = t->pta->ir, .flows = t->flows};
	number_classes(x);
	if (!x->classes.n)
		return NULL;
	setpool_init(&x->sets, a);
	x->local = arena_array(a, SetId *, x->ir->fns.n);
	x->returned = arena_array(a, u32, x->ir->fns.n);
	x->entry = arena_array(a, u64, (size_t)n * x->words);
	x->reached = arena_array(a, bool, n);
	x->queued = arena_array(a, bool, n);
	rank(x);
	solve_calls(x, t);
	x->inside = arena_array(a, SetId, x->p->objs.n);
	touch_each(x);
	return x;
}

/* The numbers of the classes whose initialisers touch what the slots are of. */
static SetId
told_of(Inits *x, const Set *slots)
{
	u32 *memo = map_at(x->arena, &x->told, (uintptr_t)slots);

	if (!*memo) {
		SetId s = 0;
		SET_FOR (it, slots)
			s = setpool_union(&x->sets, s, x->inside[pta_slot(x->p, it.x)->obj]);
		*memo = s + 1;
	}
	return *memo - 1;
}

/* Adds what holds, of the classes told of, before ins in inst. */
static void
add_known(Inits *x, InstId inst, InsId ins, SetId told)
{
	const u64 *row = row_of(x, inst);
	SetId own = before(x, pta_inst(x->p, inst)->fn, ins);

	SET_FOR (it, setpool_get(&x->sets, told)) {
		ClassId c = x->classes.at[it.x];
		if (row_has(row, 2 * it.x) || set_has(setpool_get(&x->sets, own), 2 * it.x))
			set_add(x->arena, &x->now, 2 * c);
		if (row_has(row, 2 * it.x + 1))
			set_add(x->arena, &x->now, 2 * c + 1);
	}
}

const Set *
inits_at(Inits *x, InstId inst, InsId ins, Val addr, const Edge *by)
{
	SetId told = told_of(x, pta_pts(x->p, inst, addr));

	set_clear(&x->now);
	if (!told)
		return &x->now;
	add_known(x, inst, ins, told);
	if (by)
		add_known(x, by->from, by->ins, told);
	return &x->now;
}
