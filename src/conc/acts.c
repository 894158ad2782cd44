/* acts.c - see acts.h. */
#include "conc/acts.h"

static bool
acts(Op op)
{
	switch (op) {
	case OP_RMW:
	case OP_EXTERN:
	case OP_ASSUME:
	case OP_ACQUIRE:
	case OP_RELEASE:
	case OP_FORK:
	case OP_JOIN:
	case OP_DETACH:
	case OP_SIGNAL:
	case OP_AWAIT:
	case OP_TASK:
	case OP_TEXIT: return true;
	default: return false;
	}
}

void
acts_find(Acts *to, Arena *a, const Ir *ir)
{
	to->first = arena_array(a, u32, ir->fns.n + 1);
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		to->first[f] = to->ins.n;
		for (InsId i = fn->ins; i < fn->ins + fn->nins; i++)
			if (acts((Op)ir_ins(ir, i)->op))
				vec_push(a, &to->ins, i);
	}
	to->first[ir->fns.n] = to->ins.n;
}
