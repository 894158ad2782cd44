/* raise.c - see raise.h.
 *
 * C's functions say that they throw nothing, but longjmp, which is a throw here, goes through
 * them.  Where no function has a handler there is no way to come back, and nothing to do.  Else
 * a function may throw if it holds a throw or calls unknown code, which may jump as well,
 * or calls a function that may; a call through a pointer, if any function may.  Whether the
 * throw is caught on its way does not matter: a handler may throw on.  A signal handler
 * that throws does so wherever it interrupts: then every instruction may. */
#include "ir/raise.h"

#include "base/graph.h"
#include "base/vec.h"

static bool
has_handler(const Ir *ir)
{
	for (FnId f = 1; f < ir->fns.n; f++)
		for (BlockId b = 1; b <= ir->fns.at[f].nblock; b++)
			if (fn_block(ir, &ir->fns.at[f], b)->exc)
				return true;
	return false;
}

/* The function that a call names; 0 if it goes through a pointer. */
static FnId
callee(const Ir *ir, const Ins *i)
{
	Val v = ins_arg(ir, i, 0);

	return val_is_const(v) && ir_const(ir, v)->kind == CONST_FN ? ir_const(ir, v)->ref : 0;
}

/* Callers of each function; those through pointers are 0's. */
static void
list_callers(const Ir *ir, Arena *a, Graph *callers, bool *throws)
{
	Vec(Arc) arcs = {0};

	for (FnId f = 1; f < ir->fns.n; f++)
		for (InsId k = 0; k < ir->fns.at[f].nins; k++) {
			const Ins *i = ir_ins(ir, ir->fns.at[f].ins + k);
			if (i->op == OP_CALL)
				vec_push(a, &arcs, (Arc){callee(ir, i), f});
			throws[f] |= i->op == OP_THROW || i->op == OP_EXTERN;
		}
	graph_build(callers, a, ir->fns.n, arcs.at, arcs.n);
}

static void
spread(const Ir *ir, Arena *a, const Graph *callers, bool *throws)
{
	VecU32 queue = {0};

	for (FnId f = 1; f < ir->fns.n; f++)
		if (throws[f])
			vec_push(a, &queue, f);
	throws[0] = queue.n != 0;
	if (queue.n)
		vec_push(a, &queue, 0);
	while (queue.n) {
		FnId f = queue.at[--queue.n];
		GRAPH_FOR (to, callers, f) {
			if (throws[*to])
				continue;
			throws[*to] = true;
			vec_push(a, &queue, *to);
		}
	}
}

/* The function that may be called from anywhere once ins has registered it: a signal handler, or what
 * is only known to be called now and then, as those of fatal signals; 0: none. */
static Val
registered(const Ir *ir, const Ins *i)
{
	if (i->op == OP_FORK && i->flags & INS_INTERRUPTS)
		return ins_arg(ir, i, 1);
	return i->op == OP_CALL && i->sub == CALL_MAYBE && i->flags & INS_MODEL ? ins_arg(ir, i, 0)
										: 0;
}

static bool
throws_anywhere(const Ir *ir, const bool *throws)
{
	for (InsId k = 1; k < ir->ins.n; k++) {
		Val f = registered(ir, ir_ins(ir, k));
		if (f && (!val_is_const(f) ||
			  (ir_const(ir, f)->kind == CONST_FN && throws[ir_const(ir, f)->ref])))
			return throws[0];
	}
	return false;
}

void
ir_raise(Ir *ir)
{
	Arena scratch = {0};
	Graph callers;
	bool *throws, all;

	if (!has_handler(ir))
		return;
	throws = arena_array(&scratch, bool, ir->fns.n);
	list_callers(ir, &scratch, &callers, throws);
	spread(ir, &scratch, &callers, throws);
	all = throws_anywhere(ir, throws);
	for (InsId k = 1; k < ir->ins.n; k++) {
		Ins *i = &ir->ins.at[k];
		if ((all && i->op != OP_PHI && !op_is_terminator((Op)i->op)) ||
		    i->op == OP_EXTERN || (i->op == OP_CALL && throws[callee(ir, i)]))
			i->flags |= INS_THROWS;
	}
	arena_release(&scratch);
}
