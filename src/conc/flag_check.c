/* flag_check.c - functions that only check an argument.
 *
 *	void assume_abort_if_not(int cond) { if (!cond) abort(); }
 *
 * A call of one is an assumption: who comes back from it has given something
 * else than 0.  Its first block branches on a parameter, one way never comes to
 * a return, and nothing in it touches memory, calls, forks or waits. */
#include "conc/flag_int.h"

#include "conc/access.h"
#include "conc/sign.h"

enum { MAX_BLOCKS = 6 };

/* Does nothing in the function concern anybody else? */
static bool
is_quiet(const Ir *ir, const Fn *fn)
{
	Touch touch[2];

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++)
		switch (ir_ins(ir, i)->op) {
		case OP_CALL:
		case OP_FORK:
		case OP_JOIN:
		case OP_ACQUIRE:
		case OP_RELEASE:
		case OP_SIGNAL:
		case OP_AWAIT:
		case OP_EXTERN: return false;
		default:
			if (access_touches(ir, i, touch))
				return false;
		}
	return true;
}

static bool
returns_from(const Ir *ir, const Fn *fn, BlockId b, u32 seen)
{
	const Block *bl = fn_block(ir, fn, b);

	if (seen >> b & 1)
		return false;
	if (ir_ins(ir, bl->ins + bl->nins - 1)->op == OP_RET)
		return true;
	for (u32 k = 0; k < bl->nsucc; k++)
		if (returns_from(ir, fn, ir->succs.at[bl->succ + k], seen | 1u << b))
			return true;
	return false;
}

Val
flag_checked(const Ir *ir, const Fn *fn)
{
	const Block *b = fn->nblock ? fn_block(ir, fn, 1) : NULL;
	SignFact facts[SIGN_FACTS];

	if (!b || fn->nblock > MAX_BLOCKS || b->nsucc != 2 || !is_quiet(ir, fn))
		return 0;
	for (u32 k = 0; k < 2; k++) {
		u32 n = sign_edge(ir, fn, b, k, facts);
		if (returns_from(ir, fn, ir->succs.at[b->succ + 1 - k], 0))
			continue;
		for (u32 i = 0; i < n; i++)
			if (facts[i].reg <= fn->nparam && !(facts[i].mask & SIGN_ZERO))
				return facts[i].reg;
	}
	return 0;
}
