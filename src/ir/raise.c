/* raise.c - see raise.h.
 *
 * C's functions say that they throw nothing, but longjmp, which is a throw here, goes through
 * them.  Where no function has a handler there is no way to come back, and nothing to do.  Else
 * a function may throw if it holds a throw or calls unknown code, which may jump as well,
 * or calls a function that may; a call through a pointer, if any function may.  Whether the
 * throw is caught on its way does not matter: a handler may throw on.  A signal handler
 * that throws does so wherever it interrupts: then every instruction may.
 *
 * What is to be done where a thread ends is a handler, too (pthread_cleanup_push is a setjmp, behind whose second
 * return the function is called and the thread ends): a thread that ends itself throws, and of one that others may end
 * every instruction may that lies within such a handler, or is run from there. */
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

static bool
unwinds(const Ins *i)
{
	return i->op == OP_NONDET && (i->sub == NONDET_UNWIND || i->sub == NONDET_UNWOUND);
}

/* Where the landing throws on to, further out: 0 to the callers. */
static BlockId
further_out(const Ir *ir, const Fn *f, BlockId landing)
{
	const Block *bl = fn_block(ir, f, landing);

	for (u32 k = 0; k < bl->nsucc; k++) {
		const Block *on = fn_block(ir, f, ir->succs.at[bl->succ + k]);
		if (ir_ins(ir, on->ins + on->nins - 1)->op == OP_THROW)
			return on->exc;
	}
	return landing;
}

/* Does the function have such a handler: which goes on to the thread's end?  What is done there is
 * itself not within it. */
static bool
handles_end(Ir *ir, const Fn *f)
{
	bool found = false;

	for (BlockId b = 1; b <= f->nblock; b++) {
		Block *bl = &ir->blocks.at[f->block + b - 1];
		for (InsId k = bl->ins; bl->exc && k < bl->ins + bl->nins; k++)
			if (unwinds(ir_ins(ir, k)) && ir_ins(ir, k)->sub == NONDET_UNWOUND) {
				bl->exc = further_out(ir, f, bl->exc);
				found = true;
			}
	}
	return found;
}

/* All instructions from there on may throw: but who waits for a condition has the lock again first.
 * Adds the functions that they call. */
static void
interrupt(Ir *ir, Arena *a, InsId first, u32 n, bool *seen, VecU32 *todo)
{
	u32 released = 0; /* the site of a release: what follows there is one call's */

	for (InsId k = first; k < first + n; k++) {
		Ins *i = &ir->ins.at[k];
		FnId to = i->op == OP_CALL ? callee(ir, i) : 0;
		if (i->op == OP_RELEASE)
			released = i->site;
		else if (i->op != OP_PHI && !op_is_terminator((Op)i->op) && i->site != released)
			i->flags |= INS_THROWS;
		if (i->op != OP_CALL)
			continue;
		for (FnId f = to ? to : 1; f < (to ? to + 1 : ir->fns.n); f++) {
			if (seen[f])
				continue;
			seen[f] = true;
			vec_push(a, todo, f);
		}
	}
}

/* Threads that others may end do so within such handlers. */
static void
interrupt_handled(Ir *ir, Arena *a)
{
	bool stops = false, *seen = arena_array(a, bool, ir->fns.n);
	VecU32 todo = {0};

	for (InsId k = 1; k < ir->ins.n; k++) {
		stops |= ir->ins.at[k].op == OP_DETACH && ir->ins.at[k].sub;
		if (unwinds(&ir->ins.at[k]))
			ir->ins.at[k].flags |= INS_THROWS;
	}
	for (FnId f = 1; f < ir->fns.n; f++) {
		const Fn *fn = &ir->fns.at[f];
		bool handles = handles_end(ir, fn);
		for (BlockId b = 1; stops && handles && b <= fn->nblock; b++) {
			const Block *bl = fn_block(ir, fn, b);
			if (bl->exc)
				interrupt(ir, a, bl->ins, bl->nins, seen, &todo);
		}
	}
	while (todo.n) {
		const Fn *fn = &ir->fns.at[todo.at[--todo.n]];
		interrupt(ir, a, fn->ins, fn->nins, seen, &todo);
	}
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
			throws[f] |= i->op == OP_THROW || i->op == OP_EXTERN ||
				     (i->op != OP_CALL && i->flags & INS_THROWS);
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
	interrupt_handled(ir, &scratch);
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
