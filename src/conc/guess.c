/* guess.c - calls through pointers that are mixed up with others.
 *
 * What passes through generic containers may come out of any of them, so a table of
 * methods that is reached from an element may be that of any element.  The call graph then
 * has an edge to each function that fits the call, whoever makes it.  That the pointer is
 * mixed up shows in its points-to set: it also holds what the call cannot mean, that is
 * data, or functions of another type (pta/signature.c, house.c).
 *
 * Somebody runs each of these functions, or the program would not have them.  If only one
 * thread makes the call, it does.  If the thread's creator, or that one's, makes the same
 * call, nothing says that the thread does so with this function: it is a guess.
 *
 * This is no proof: it may only lower a rung.  Linear in the edges and in what the called
 * pointers may point to until the first that does not fit. */
#include "conc/guess.h"

static bool
is_target(const Pta *p, const Edge *e, u32 n, FnId f)
{
	for (u32 k = 0; k < n; k++)
		if (p->insts.at[e[k].to].fn == f)
			return true;
	return false;
}

/* Does the called pointer of the edges hold anything that is not called? */
static bool
is_mixed(const Pta *p, const Edge *e, u32 n)
{
	Val v = ins_arg(p->ir, ir_ins(p->ir, e->ins), 0);

	if (!val_is_reg(v))
		return false;
	SET_FOR (s, pta_pts(p, e->from, v)) {
		const Obj *o = pta_obj(p, pta_slot(p, s.x)->obj);
		if (o->kind != OBJ_EXTERN && (o->kind != OBJ_FN || !is_target(p, e, n, o->ref)))
			return true;
	}
	return false;
}

const bool *
guess_calls(Arena *a, const Pta *p)
{
	bool *guess = NULL;

	for (u32 k = 0, n; k < p->edges.n; k += n) {
		const Edge *e = &p->edges.at[k];
		const Ins *i = ir_ins(p->ir, e->ins);

		for (n = 1; k + n < p->edges.n && e[n].from == e->from && e[n].ins == e->ins;)
			n++;
		if (n < 2 || i->op != OP_CALL || i->sub != CALL_PLAIN || !is_mixed(p, e, n))
			continue;
		if (!guess)
			guess = arena_array(a, bool, p->edges.n);
		for (u32 m = 0; m < n; m++)
			guess[k + m] = true;
	}
	return guess;
}

bool
guess_doubts(const bool *guess, const Threads *th, ThreadId t, u32 edge)
{
	if (!guess || !guess[edge])
		return false;
	for (t = thread_get(th, t)->parent; t; t = thread_get(th, t)->parent)
		if (set_has(&th->insts[t], th->pta->edges.at[edge].from))
			return true;
	return false;
}
