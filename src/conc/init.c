/* init.c - see init.h.
 *
 * Within a function, a class is initialised where every way leads past a cinit
 * of it; an exception may have left a block before any of its own.  Downwards
 * in the call graph, an instance starts with what holds at all its calls, and
 * a thread with nothing: a creator that is itself within an initialiser has
 * passed it too.  Sets only shrink, so both end. */
#include "conc/init.h"

#include "base/graph.h"
#include "base/heap.h"

struct Inits {
	Arena *arena;
	const Pta *p;
	const Ir *ir;
	Flows flows;
	SetPool sets;
	SetId **local; /* [FnId][block]: at its start, of the function's own */
	SetId *entry;  /* [InstId] */
	bool *reached; /* [InstId] */
	u32 *rank;     /* [InstId] */
	bool *queued;  /* [InstId] */
	Map at;        /* (inst, ins) -> SetId + 1 */
};

static SetId
pass(Inits *x, SetId s, const Ins *ins)
{
	if (ins->op != OP_CINIT || !x->ir->classes.at[ins->aux].cinit)
		return s;
	return setpool_add(&x->sets, s, 2 * ins->aux);
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
	const Flow *flow = flow_of(&x->flows, f);
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

static SetId
before(Inits *x, InstId inst, InsId ins)
{
	FnId f = pta_inst(x->p, inst)->fn;
	const Fn *fn = &x->ir->fns.at[f];
	BlockId b = cfg_block_of(x->ir, fn, ins);
	SetId s;

	if (!x->local[f])
		x->local[f] = solve_fn(x, f);
	s = x->local[f][b];
	for (InsId i = fn_block(x->ir, fn, b)->ins; i < ins; i++)
		s = pass(x, s, ir_ins(x->ir, i));
	return setpool_union(&x->sets, s, x->entry[inst]);
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
enter(Inits *x, InstId to, SetId s, Heap *todo)
{
	SetId all = x->reached[to] ? setpool_meet(&x->sets, x->entry[to], s) : s;

	if (x->reached[to] && all == x->entry[to])
		return;
	x->reached[to] = true;
	x->entry[to] = all;
	if (!x->queued[to])
		heap_push(x->arena, todo, (u64)x->rank[to] << 32 | to);
	x->queued[to] = true;
}

static void
solve_calls(Inits *x, const Threads *t)
{
	Heap todo = {0};

	for (ThreadId id = 1; id < t->at.n; id++)
		enter(x, thread_get(t, id)->start, 0, &todo);
	while (todo.n) {
		InstId from = (InstId)heap_pop(&todo);
		const Inst *in = pta_inst(x->p, from);

		x->queued[from] = false;
		for (u32 k = in->edge; k < in->edge + in->nedge; k++) {
			const Edge *e = &x->p->edges.at[k];
			const Ins *ins = ir_ins(x->ir, e->ins);
			SetId s;
			if (e->fork)
				continue;
			s = before(x, from, e->ins);
			if (ins->op == OP_CINIT)
				s = setpool_add(&x->sets, s, 2 * ins->aux + 1);
			enter(x, e->to, s, &todo);
		}
	}
}

Inits *
inits_solve(Arena *a, const Threads *t)
{
	const Ir *ir = t->pta->ir;
	Inits *x;
	bool any = false;

	for (ClassId c = 1; c < ir->classes.n; c++)
		any |= ir->classes.at[c].cinit != 0;
	if (!any)
		return NULL;
	x = arena_new(a, Inits);
	*x = (Inits){.arena = a, .p = t->pta, .ir = ir};
	flows_init(&x->flows, a, ir);
	setpool_init(&x->sets, a);
	x->local = arena_array(a, SetId *, ir->fns.n);
	x->entry = arena_array(a, SetId, x->p->insts.n);
	x->reached = arena_array(a, bool, x->p->insts.n);
	x->queued = arena_array(a, bool, x->p->insts.n);
	rank(x);
	solve_calls(x, t);
	return x;
}

const Set *
inits_at(Inits *x, InstId inst, InsId ins)
{
	u32 *memo = map_at(x->arena, &x->at, map_pair(inst, ins));

	if (!*memo) {
		SetId s = before(x, inst, ins);
		memo = map_at(x->arena, &x->at, map_pair(inst, ins));
		*memo = s + 1;
	}
	return setpool_get(&x->sets, *memo - 1);
}
