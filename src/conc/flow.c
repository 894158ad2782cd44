/* flow.c - see flow.h. */
#include "conc/flow.h"

void
flows_init(Flows *f, Arena *a, const Ir *ir)
{
	f->ir = ir;
	f->arena = a;
	f->at = arena_array(a, Flow *, ir->fns.n);
}

static void
find_cycles(Flow *flow, Arena *a)
{
	Sccs sccs;

	graph_sccs(&sccs, a, &flow->succ);
	flow->scc = sccs.of;
	flow->cyclic = arena_array(a, bool, flow->succ.n);
	for (u32 b = 1; b < flow->succ.n; b++) {
		u32 c = sccs.of[b];
		flow->cyclic[b] = sccs.first[c + 1] - sccs.first[c] > 1;
		GRAPH_FOR (s, &flow->succ, b)
			flow->cyclic[b] |= *s == b;
	}
}

const Flow *
flow_of(Flows *f, FnId id)
{
	const Fn *fn = &f->ir->fns.at[id];
	Flow *flow = f->at[id];

	if (flow)
		return flow;
	flow = f->at[id] = arena_new(f->arena, Flow);
	cfg_graph(&flow->succ, f->arena, f->ir, fn);
	find_cycles(flow, f->arena);
	flow->rpo = arena_array(f->arena, u32, flow->succ.n);
	flow->rank = arena_array(f->arena, u32, flow->succ.n);
	if (fn->nblock)
		flow->nrpo = graph_rpo(&flow->succ, f->arena, 1, flow->rpo);
	for (u32 i = 0; i < flow->nrpo; i++)
		flow->rank[flow->rpo[i]] = i + 1;
	return flow;
}
