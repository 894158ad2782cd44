/* flow.c - see flow.h. */
#include "conc/flow.h"

static void
find_cycles(Flow *flow, Arena *a)
{
	u32 n = flow->succ.n;
	Sccs sccs;

	graph_sccs(&sccs, a, &flow->succ);
	flow->scc = sccs.of;
	flow->cyclic = arena_array(a, bool, n);
	for (u32 b = 1; b < n; b++) {
		u32 c = sccs.of[b];
		flow->cyclic[b] = sccs.first[c + 1] - sccs.first[c] > 1;
		GRAPH_FOR (s, &flow->succ, b)
			flow->cyclic[b] |= *s == b;
	}
	arena_recycle(a, sccs.first, (sccs.n + 2) * sizeof *sccs.first);
	arena_recycle(a, sccs.nodes, n * sizeof *sccs.nodes);
}

static void
build(Flow *flow, Arena *a, const Ir *ir, const Fn *fn)
{
	cfg_graph(&flow->succ, a, ir, fn);
	find_cycles(flow, a);
	flow->rpo = arena_array(a, u32, flow->succ.n);
	flow->rank = arena_array(a, u32, flow->succ.n);
	if (fn->nblock)
		flow->nrpo = graph_rpo(&flow->succ, a, 1, flow->rpo);
	for (u32 i = 0; i < flow->nrpo; i++)
		flow->rank[flow->rpo[i]] = i + 1;
}

Flows *
flows_build(Arena *a, const Ir *ir)
{
	Flows *f = arena_new(a, Flows);

	f->at = arena_array(a, Flow, ir->fns.n);
	for (FnId id = 1; id < ir->fns.n; id++)
		build(&f->at[id], a, ir, &ir->fns.at[id]);
	return f;
}
