/* flow.c - see flow.h. */
#include "conc/flow.h"

#include "base/vec.h"

void
flows_init(Flows *f, Arena *a, const Ir *ir)
{
	f->ir = ir;
	f->arena = a;
	f->at = arena_array(a, Flow *, ir->fns.n);
}

static void
build_graph(Flow *flow, Arena *a, const Ir *ir, const Fn *fn)
{
	Vec(Arc) arcs = {0};

	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(ir, fn, b);
		for (u32 i = 0; i < block->nsucc; i++)
			vec_push(a, &arcs, (Arc){b, ir->succs.at[block->succ + i]});
		if (block->exc)
			vec_push(a, &arcs, (Arc){b, block->exc});
	}
	graph_build(&flow->succ, a, fn->nblock + 1, arcs.at, arcs.n);
	arena_recycle(a, arcs.at, arcs.cap * sizeof *arcs.at);
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
	build_graph(flow, f->arena, f->ir, fn);
	find_cycles(flow, f->arena);
	flow->rpo = arena_array(f->arena, u32, flow->succ.n);
	flow->rank = arena_array(f->arena, u32, flow->succ.n);
	if (fn->nblock)
		flow->nrpo = graph_rpo(&flow->succ, f->arena, 1, flow->rpo);
	for (u32 i = 0; i < flow->nrpo; i++)
		flow->rank[flow->rpo[i]] = i + 1;
	return flow;
}

BlockId
flow_block_of(const Ir *ir, const Fn *fn, InsId ins)
{
	u32 lo = 1, hi = fn->nblock;

	assert(ins >= fn->ins && ins < fn->ins + fn->nins);
	while (lo < hi) {
		u32 mid = (lo + hi + 1) / 2;
		if (fn_block(ir, fn, mid)->ins <= ins)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}
