/* guess.c - calls through pointers of which points-to says too little.
 *
 * What passes through generic containers may come out of any of them, so a table of
 * methods that is reached from an element may be that of any element.  In a large program
 * such pointers are one crowd (pta/crowd.c), and a call through one of them has an edge to
 * each function of its type that is kept in such a member (pta/signature.c, house.c),
 * whoever makes the call.  The same goes for a callback that is a parameter: each caller
 * gives its own, and a large program is solved without contexts.
 *
 * Somebody runs each of these functions, or the program would not have them.  If only one
 * thread makes the call, it does.  If the thread's creator, or that one's, makes the same
 * call, nothing says that the thread does so with this function: it is a guess.
 *
 * What external functions are assumed to call back is in guess_extern.c.
 *
 * This is no proof: it may only lower a rung.  Linear in the edges. */
#include "conc/guess.h"

/* Is nothing known of who means which of the targets? */
static bool
is_vague(const Pta *p, const Edge *e)
{
	Val v = ins_arg(p->ir, ir_ins(p->ir, e->ins), 0);

	return pta_crowded(p, e->from, v) ||
	       (p->crowded && val_is_reg(v) && v <= pta_fn(p, e->from)->nparam);
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
		if (n < 2 || i->op != OP_CALL || i->sub != CALL_PLAIN || !is_vague(p, e))
			continue;
		if (!guess)
			guess = arena_array(a, bool, p->edges.n);
		for (u32 m = 0; m < n; m++)
			guess[k + m] = true;
	}
	return guess_callbacks(a, p, guess);
}

bool
guess_doubts(const bool *guess, const Threads *th, ThreadId t, u32 edge)
{
	if (!guess || !guess[edge])
		return false;
	if (th->pta->edges.at[edge].assumed)
		return true; /* whoever calls it */
	for (t = thread_get(th, t)->parent; t; t = thread_get(th, t)->parent)
		if (set_has(&th->insts[t], th->pta->edges.at[edge].from))
			return true;
	return false;
}
