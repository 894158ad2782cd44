/* tested.c - of which class a value is behind a test.
 *
 * Behind `if (x instanceof C)` x is of class C: a method of all objects that is called on it
 * there, as toString, is C's own.  A block into which only one edge leads, that of a
 * branch whose test has succeeded, has the fact of that test, and hands it to the blocks into which only
 * it leads; registers do not change.  Sole predecessors are followed DEPTH blocks up. */
#include "ir/cfg.h"
#include "pta/pta_int.h"

enum { DEPTH = 8 };

struct Tested {
	BlockId *only; /* [block]: its sole predecessor; 0: there are others */
	Val *val;      /* [block]: what was tested on the edge into it; 0: nothing */
	ClassId *class;
};
typedef struct Tested Tested;

static const Ins *
defined_by(const Ir *ir, const Fn *fn, Val v)
{
	return val_is_reg(v) && v > fn->nparam && fn_reg(ir, fn, v)->def
		   ? ir_ins(ir, fn_reg(ir, fn, v)->def)
		   : NULL;
}

/* The instanceof that the branch tests; *yes: the successor where it has succeeded. */
static const Ins *
test_of(const Ir *ir, const Fn *fn, const Ins *branch, u32 *yes)
{
	const Ins *d = branch->op == OP_CBR ? defined_by(ir, fn, ins_arg(ir, branch, 0)) : NULL;

	*yes = 0;
	if (d && d->op == OP_CMP && (d->sub == CMP_EQ || d->sub == CMP_NE) &&
	    val_is_const(ins_arg(ir, d, 1)) && ir_const(ir, ins_arg(ir, d, 1))->kind == CONST_INT &&
	    !ir_const(ir, ins_arg(ir, d, 1))->num) {
		*yes = d->sub == CMP_EQ;
		d = defined_by(ir, fn, ins_arg(ir, d, 0));
	}
	return d && d->op == OP_FILTER && d->sub == 1 ? d : NULL;
}

static void
arrive(BlockId *only, u8 *many, BlockId from, BlockId to)
{
	many[to] = many[to] || only[to];
	only[to] = from;
}

static Tested *
find(Solver *s, const Fn *fn)
{
	const Ir *ir = s->ir;
	Tested *t = arena_new(s->a, Tested);
	u8 *many = arena_array(s->a, u8, fn->nblock + 1);

	t->only = arena_array(s->a, BlockId, fn->nblock + 1);
	t->val = arena_array(s->a, Val, fn->nblock + 1);
	t->class = arena_array(s->a, ClassId, fn->nblock + 1);
	many[1] = true;
	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(ir, fn, b);
		for (u32 k = 0; k < block->nsucc; k++)
			arrive(t->only, many, b, ir->succs.at[block->succ + k]);
		if (block->exc)
			arrive(t->only, many, b, block->exc);
	}
	for (BlockId b = 1; b <= fn->nblock; b++) {
		const Block *block = fn_block(ir, fn, b);
		u32 yes;
		const Ins *test =
		    block->nins ? test_of(ir, fn, ir_ins(ir, block->ins + block->nins - 1), &yes)
				: NULL;
		BlockId to = test ? ir->succs.at[block->succ + yes] : 0;
		if (many[b])
			t->only[b] = 0;
		if (to && !many[to]) {
			t->val[to] = ins_arg(ir, test, 0);
			t->class[to] = test->aux;
		}
	}
	return t;
}

static bool
tests_any(const Ir *ir, const Fn *fn)
{
	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++)
		if (ir_ins(ir, i)->op == OP_FILTER && ir_ins(ir, i)->sub == 1)
			return true;
	return false;
}

ClassId
tested_class(Solver *s, FnId f, InsId at, Val v)
{
	const Fn *fn = &s->ir->fns.at[f];
	u32 *row = map_at(s->a, &s->tested_of, f);
	const Tested *t;
	BlockId b;

	if (!*row) {
		*row = 1;
		if (tests_any(s->ir, fn)) {
			vec_push(s->a, &s->tested, find(s, fn));
			*row = s->tested.n + 1;
		}
	}
	if (*row == 1)
		return 0;
	t = s->tested.at[*row - 2];
	b = cfg_block_of(s->ir, fn, at);
	for (u32 k = 0; b && k < DEPTH; k++, b = t->only[b])
		if (t->val[b] == v)
			return t->class[b];
	return 0;
}
