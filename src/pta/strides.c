/* strides.c - offsets that are added again and again.
 *
 * `p = phi(base, q); q = field p, 8` would give p the slots 0, 8, 16, ...: the
 * points-to set of a pointer that walks over an array never ends by itself.
 * In the graph of a function's registers, with an edge from operand to result
 * wherever a pointer may flow, such an instruction lies on a cycle.  It is
 * marked, and its constraint becomes "plus any multiple of 8" (gen.c).
 * Cycles through memory or calls are not seen here; they end by folding. */
#include "base/graph.h"
#include "pta/pta_int.h"

/* The operands of i through which a pointer may reach dst; returns how many. */
static u32
flows_from(const Ir *ir, const Ins *i, const Val **args, u32 *step)
{
	*args = &ir->args.at[i->arg];
	*step = 1;
	switch (i->op) {
	case OP_COPY:
	case OP_FIELD:
	case OP_CAST:
	case OP_FILTER: return 1;
	case OP_INDEX:
	case OP_BIN: return i->narg;
	case OP_SELECT: ++*args; return 2;
	case OP_PHI:
		++*args;
		*step = 2;
		return i->narg / 2;
	default: return 0;
	}
}

/* Without a phi there is no cycle. */
static bool
has_phi(const Ir *ir, const Fn *f)
{
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		if (ir_ins(ir, i)->op == OP_PHI)
			return true;
	return false;
}

void
strides_mark(const Ir *ir, FnId fn, Arena *scratch, u8 *mark)
{
	const Fn *f = &ir->fns.at[fn];
	Vec(Arc) arcs = {0};
	Graph g;
	Sccs sccs;
	const Val *args;
	u32 n, step;

	if (!has_phi(ir, f))
		return;
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(ir, id);
		n = i->dst ? flows_from(ir, i, &args, &step) : 0;
		for (u32 k = 0; k < n; k++)
			if (val_is_reg(args[k * step]))
				vec_push(scratch, &arcs, (Arc){args[k * step], i->dst});
	}
	graph_build(&g, scratch, f->nreg + 1, arcs.at, arcs.n);
	graph_sccs(&sccs, scratch, &g);
	for (InsId id = f->ins; id < f->ins + f->nins; id++) {
		const Ins *i = ir_ins(ir, id);
		n = i->dst ? flows_from(ir, i, &args, &step) : 0;
		for (u32 k = 0; k < n; k++)
			if (val_is_reg(args[k * step]) &&
			    sccs.of[args[k * step]] == sccs.of[i->dst])
				mark[id] |= MARK_CYCLIC;
	}
}
