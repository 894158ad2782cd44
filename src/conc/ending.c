/* ending.c - calls that report an error and do not come back.
 *
 * Programs have a function of their own for what must not happen: it writes down all
 * that could help and ends the process, or leaves by a long jump.  A function never
 * returns if no path from its entry reaches a return, where paths end at the calls of
 * such functions and where the front end says that nothing follows.  That starts from
 * none and grows, so each function is looked at once and again when a callee turns out
 * to be such: linear in the instructions, but for that.  There are several calls: a
 * loop that serves until the process ends does not return either, and is called in one
 * place.  The handlers of an exit with a constant status that is not zero run for such an end, too. */
#include "conc/ending.h"

#include <string.h>

enum { FATAL_CALLS = 4 /* so many at least */ };

typedef struct Ending {
	Arena *a;
	const Pta *p;
	bool *never;    /* [FnId]: it does not return */
	u32 *call;      /* [FnId]: the first edge that calls it by name, plus 1 */
	u32 *next;      /* [edge]: the next such of the same function, plus 1 */
	VecU32 work;    /* functions to look at */
	VecU32 path;    /* blocks to look at */
	Vec(bool) seen; /* [BlockId] of one function */
} Ending;

static FnId
called(const Ir *ir, const Ins *i)
{
	Val v = i->op == OP_CALL && i->sub == CALL_PLAIN ? ins_arg(ir, i, 0) : 0;

	return v && val_is_const(v) && ir_const(ir, v)->kind == CONST_FN ? ir_const(ir, v)->ref : 0;
}

/* Does the block end before its terminator, at a call that does not return? */
static bool
is_cut(const Ending *e, const Block *b)
{
	for (u32 k = b->ins; k < b->ins + b->nins; k++) {
		FnId f = called(e->p->ir, ir_ins(e->p->ir, k));
		if (f && e->never[f])
			return true;
	}
	return false;
}

static void
visit(Ending *e, BlockId b)
{
	if (e->seen.at[b])
		return;
	e->seen.at[b] = true;
	vec_push(e->a, &e->path, b);
}

/* Does some path reach a return, or the end of the thread?  If there is no end at all,
 * the function serves forever, and nothing is said of it. */
static bool
returns(Ending *e, const Fn *f)
{
	const Ir *ir = e->p->ir;
	bool ends = false;

	while (e->seen.n <= f->nblock)
		vec_push(e->a, &e->seen, false);
	memset(e->seen.at, 0, (f->nblock + 1) * sizeof(bool));
	e->path.n = 0;
	visit(e, 1);
	while (e->path.n) {
		const Block *b = fn_block(ir, f, e->path.at[--e->path.n]);
		const Ins *last = ir_ins(ir, b->ins + b->nins - 1);
		bool cut = is_cut(e, b), jumps = last->op == OP_THROW && last->flags & INS_MODEL;
		if (!cut && (last->op == OP_RET || last->op == OP_TEXIT ||
			     (last->op == OP_THROW && !jumps)))
			return true;
		ends |= cut || jumps || last->op == OP_UNREACHABLE || last->op == OP_EXIT;
		for (u32 k = 0; k < b->nsucc && !cut; k++)
			visit(e, ir->succs.at[b->succ + k]);
		if (b->exc)
			visit(e, b->exc);
	}
	return !ends;
}

static void
find_never(Ending *e)
{
	const Pta *p = e->p;

	for (FnId f = (FnId)p->ir->fns.n - 1; f; f--)
		if (p->ir->fns.at[f].nblock)
			vec_push(e->a, &e->work, f);
	while (e->work.n) {
		FnId f = e->work.at[--e->work.n];
		if (e->never[f] || returns(e, &p->ir->fns.at[f]))
			continue;
		e->never[f] = true;
		for (u32 k = e->call[f]; k; k = e->next[k - 1])
			vec_push(e->a, &e->work, p->insts.at[p->edges.at[k - 1].from].fn);
	}
}

static void
index_calls(Ending *e)
{
	const Pta *p = e->p;

	for (u32 k = 0; k < p->edges.n; k++) {
		FnId f = called(p->ir, ir_ins(p->ir, p->edges.at[k].ins));
		if (!f)
			continue;
		e->next[k] = e->call[f];
		e->call[f] = k + 1;
	}
}

/* The calls of handlers in a block that ends the process, with a status that says that it has failed. */
static void
mark_failing(const Ending *e, const Block *b, const Ins *exit, Set *failing)
{
	const Ir *ir = e->p->ir;
	Val status = exit->narg ? ins_arg(ir, exit, 0) : 0;
	const Const *c = val_is_const(status) ? ir_const(ir, status) : NULL;

	for (u32 i = b->ins; c && c->kind == CONST_INT && c->num && i < b->ins + b->nins; i++)
		if (ir_ins(ir, i)->op == OP_CALL && ir_ins(ir, i)->src == exit->src &&
		    ir_ins(ir, i)->flags & INS_MODEL)
			set_add(e->a, failing, i);
}

/* Is the function declared not to return, or not known? */
static bool
may_end(const Ir *ir, const Ins *call)
{
	FnId f = called(ir, call);

	return !f || ir->fns.at[f].flags & FN_NORETURN;
}

/* The calls of f behind which nothing comes, through pointers, too; and see mark_failing. */
static void
mark_last(const Ending *e, const Fn *f, Set *last, Set *failing)
{
	const Ir *ir = e->p->ir;

	for (u32 k = 0; k < f->nblock; k++) {
		const Block *b = fn_block(ir, f, k + 1);
		u32 end = b->ins + b->nins - 1;
		if (ir_ins(ir, end)->op == OP_EXIT)
			mark_failing(e, b, ir_ins(ir, end), failing);
		if (b->nins > 1 && ir_ins(ir, end)->op == OP_UNREACHABLE &&
		    ir_ins(ir, end - 1)->op == OP_CALL && may_end(ir, ir_ins(ir, end - 1)))
			set_add(e->a, last, end - 1);
	}
}

const bool *
ending_calls(Arena *a, const Pta *p)
{
	Ending e = {.a = a, .p = p};
	bool *fatal = arena_array(a, bool, p->edges.n + 1), any = false;
	u32 *calls = arena_array(a, u32, p->ir->fns.n + 1);
	Set last = {0}, failing = {0}, counted = {0};

	e.never = arena_array(a, bool, p->ir->fns.n + 1);
	e.call = arena_array(a, u32, p->ir->fns.n + 1);
	e.next = arena_array(a, u32, p->edges.n + 1);
	index_calls(&e);
	find_never(&e);
	for (FnId f = 1; f < p->ir->fns.n; f++)
		mark_last(&e, &p->ir->fns.at[f], &last, &failing);
	for (u32 k = 0; k < p->edges.n; k++) {
		const Edge *x = &p->edges.at[k];
		FnId f = called(p->ir, ir_ins(p->ir, x->ins));
		fatal[k] = !x->fork && ((f && e.never[f]) || set_has(&last, x->ins));
		if (fatal[k] && set_add(a, &counted, x->ins))
			calls[p->insts.at[x->to].fn]++;
	}
	for (u32 k = 0; k < p->edges.n; k++) {
		fatal[k] &= calls[p->insts.at[p->edges.at[k].to].fn] >= FATAL_CALLS;
		fatal[k] |= set_has(&failing, p->edges.at[k].ins);
		any |= fatal[k];
	}
	return any ? fatal : NULL;
}
