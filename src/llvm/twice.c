/* twice.c - calls that return more than once: setjmp.
 *
 * Whoever jumps back throws, as its model says, and leaves function after function until one
 * has a handler.  So the function that called setjmp gets one, for all blocks that the call
 * dominates: control is behind the call again, which now returned something else than zero.
 *
 *	%a = call @setjmp(...)           %a = call @setjmp(...); br resume
 *	...                         ->   resume: %r = phi [%a, ...], [%b, landing]; ... exc landing
 *					 landing: %b = nondet; ...; br resume, or on to the next
 *
 * Where the program does nothing with the result but ask whether it is zero, the landing leads to what
 * is done if not: behind a call that comes back, nobody is taken to go the way of the first return.
 *
 * What jumps may mean a setjmp further out, of this function or of another one, so a landing
 * may as well throw on.  What is known at the jump (locks, threads) is known behind the landing;
 * variables in registers have the values of the first return, of which C says nothing if they were changed.
 *
 * From a block that the call does not dominate there is no such edge, since what the blocks behind
 * the call use need not be defined there.  If anything is called there, the first
 * return may give any number: what is done behind the second is then at least
 * done in the state of the first. */
#include "llvm/llvm_int.h"

#include <string.h>

static bool
returns_twice(const Lower *l, BcValue *i)
{
	BcValue *callee;

	if (!bc_is(i, LLVMCall) || i->type->kind != LLVMIntegerTypeKind)
		return false;
	callee = bc_callee(i);
	return bc_attrs(l->m, i)->twice || (bc_is_fn(callee) && bc_fn_attrs(l->m, callee)->twice);
}

void
twice_find(Lower *l, BcBlock *block, BcValue *end)
{
	for (BcValue *i = bc_first(block); l->jumps && i != end; i = bc_next(i)) {
		if (!returns_twice(l, i))
			continue;
		vec_push(&l->scratch, &l->twice,
			 (Twice){.call = i, .block = block, .resume = build_block_new(&l->b)});
		map_put(&l->scratch, &l->twice_of, KEY(i), l->twice.n);
		block->tail = l->twice.at[l->twice.n - 1].resume;
	}
}

typedef Vec(BcBlock *) Blocks;

/* Marks in seen what is reached behind `from`, or from it if it is the entry, without passing `not`. */
static void
reach(Lower *l, BcBlock *from, bool itself, BcBlock * not, Map *seen)
{
	Blocks stack = {0};

	if (itself)
		map_put(&l->scratch, seen, KEY(from), 1);
	vec_push(&l->scratch, &stack, from);
	while (stack.n) {
		BcValue *term = (stack.at[--stack.n])->last;
		for (u32 k = 0; k < term->nto; k++) {
			BcBlock *to = term->to[k];
			if (to == not|| map_get(seen, KEY(to)))
				continue;
			map_put(&l->scratch, seen, KEY(to), 1);
			vec_push(&l->scratch, &stack, to);
		}
	}
}

/* Is anything called in b before end? */
static bool
has_call(BcBlock *b, BcValue *end)
{
	for (BcValue *i = bc_first(b); i != end; i = bc_next(i)) {
		BcValue *callee = bc_is(i, LLVMCall) ? bc_callee(i) : NULL;
		if (callee && !(bc_is_fn(callee) && bc_is_intrinsic(bc_global(callee))))
			return true;
	}
	return false;
}

/* What uses v, if that is only one thing. */
static BcValue *
sole_user(const Lower *l, const BcValue *v)
{
	BcValue *user = NULL;

	for (u32 b = 0; b < l->m->nblock; b++)
		for (BcValue *i = bc_first(&l->m->blocks[b]); i; i = bc_next(i))
			for (u32 k = 0; i->op != BC_DEBUG && k < i->nop; k++) {
				if (bc_operand(i, k) != v)
					continue;
				if (user)
					return NULL;
				user = i;
			}
	return user;
}

/* Is it zero if, and only if, its first operand is?  A wider number, or what __builtin_expect gives. */
static bool
is_as_zero(const BcValue *i)
{
	BcValue *f = bc_is(i, LLVMCall) ? bc_callee(i) : NULL;
	const BcGlobal *g = f && bc_is_fn(f) ? bc_global(f) : NULL;

	return bc_is(i, LLVMSExt) || bc_is(i, LLVMZExt) ||
	       (g && g->nname > 12 && !memcmp(g->name, "llvm.expect.", 12));
}

/* The comparison with zero that is all that is done with v, and decides the branch end; else null. */
static BcValue *
sole_test(const Lower *l, const BcValue *v, const BcValue *end)
{
	BcValue *cmp = sole_user(l, v), *zero;

	while (cmp && is_as_zero(cmp) && bc_operand(cmp, 0) == v) {
		v = cmp;
		cmp = sole_user(l, v);
	}
	if (!cmp || !bc_is(cmp, LLVMICmp) || !bc_is(end, LLVMBr) || !end->nop ||
	    bc_operand(end, 0) != cmp)
		return NULL;
	zero = bc_operand(cmp, bc_operand(cmp, 0) == v);
	return bc_is_int(zero) && !bc_unsigned(zero) && sole_user(l, cmp) ? cmp : NULL;
}

/* Does each phi of b have operands that need not be computed for them? */
static bool
phis_plain(Lower *l, BcBlock *b)
{
	for (BcValue *phi = bc_first(b); bc_is(phi, LLVMPHI); phi = bc_next(phi))
		for (u32 k = 0; k < phi->nop; k++) {
			BcValue *v = bc_operand(phi, k);
			if (bc_is_constant(v) && !value_const(l, v))
				return false;
		}
	return true;
}

/* Where control goes if the call does not return zero, if nothing happens on the way there. */
static BcBlock *
way_of_others(Lower *l, const Twice *t)
{
	BcValue *end = t->block->last, *cmp = sole_test(l, t->call, end);
	BcBlock *to = NULL;

	if (!cmp)
		return NULL;
	for (BcValue *i = bc_next(t->call); i != end; i = bc_next(i))
		if (i != cmp && i->op != BC_DEBUG && !is_as_zero(i))
			return NULL;
	if (cmp->sub == LLVMIntNE)
		to = end->to[0];
	else if (cmp->sub == LLVMIntEQ)
		to = end->to[1];
	return to && end->to[0] != end->to[1] && phis_plain(l, to) ? to : NULL;
}

/* The calls are known in an order in which those that dominate others come first: each takes the
 * blocks that it dominates from the one before. */
static void
plan_site(Lower *l, Twice *t, u32 number)
{
	BcBlock *entry = l->m->blocks;
	Map around = {0}, behind = {0};

	t->landing = build_block_new(&l->b);
	t->skip = way_of_others(l, t);
	if (t->skip)
		map_put(&l->scratch, &l->skips, map_pair(t->resume, t->skip->head), t->landing);
	t->outer = map_get(&l->handler, KEY(t->block));
	if (number > 1 && l->twice.at[number - 2].block == t->block)
		t->outer = number - 1;
	if (t->block != entry)
		reach(l, entry, true, t->block, &around);
	reach(l, t->block, false, NULL, &behind);
	for (BcBlock *b = entry; b < entry + l->m->nblock; b++) {
		bool dominated = !map_get(&around, KEY(b));
		if (b != t->block && dominated && b->head)
			map_put(&l->scratch, &l->handler, KEY(b), number);
		if (map_get(&behind, KEY(b)) && (!dominated || b == t->block))
			t->loose |= has_call(b, b == t->block ? t->call : NULL);
	}
}

void
twice_plan(Lower *l)
{
	for (u32 k = 0; k < l->twice.n; k++)
		plan_site(l, &l->twice.at[k], k + 1);
	if (l->twice.n)
		l->throw_on = build_block_new(&l->b);
}

void
twice_enter(Lower *l, BcBlock *block)
{
	u32 t = map_get(&l->handler, KEY(block));

	if (t)
		build_block_exc(&l->b, block->head, l->twice.at[t - 1].landing);
}

void
twice_resume(Lower *l, BcValue *call)
{
	u32 n = map_get(&l->twice_of, KEY(call));
	Twice *t = n ? &l->twice.at[n - 1] : NULL;
	Val first;
	BlockId from;

	if (!t)
		return;
	first = t->loose ? emit(l, OP_NONDET, call->type, 0, NULL) : value_of(l, call);
	t->second =
	    build_reg(&l->b, RT_INT, l->ir->regs.at[l->ir->fns.at[l->b.fn].reg + first].width);
	from = l->b.cur;
	build_term(&l->b, OP_BR, 0, NULL, 1, &t->resume);
	build_block_start(&l->b, t->resume);
	build_block_exc(&l->b, t->resume, t->landing);
	if (t->skip)
		value_set(l, call, first);
	else
		value_set(
		    l, call,
		    emit(l, OP_PHI, call->type, 4, (Val[]){from, first, t->landing, t->second}));
}

BlockId
twice_beside(Lower *l, BlockId pred, BcValue *phi)
{
	BcBlock *b = phi->in;

	return l->twice.n ? map_get(&l->skips, map_pair(pred, b->head)) : 0;
}

/* Control comes back here, or goes on to whoever called setjmp before. */
static void
land(Lower *l, const Twice *t)
{
	BcType *type = t->call->type;
	u16 width;
	BlockId on = t->outer ? l->twice.at[t->outer - 1].landing : l->throw_on;
	BlockId to = t->skip ? t->skip->head : t->resume;
	Val zero, mine;
	Ins *i;

	build_block_start(&l->b, t->landing);
	l->b.src = debug_src(l, t->call);
	l->b.site = 0;
	type_reg(l, type, &width);
	zero = ir_const_int(l->ir, width, 0);
	i = build_ins(&l->b, OP_NONDET, 0, NULL);
	i->dst = t->second;
	i->rt = RT_INT;
	i->width = width;
	mine = emit_as(l, OP_CMP, RT_INT, 1, 2, (Val[]){t->second, zero});
	i = &l->ir->ins.at[l->ir->ins.n - 1];
	i->sub = CMP_NE;
	i->imm = width;
	build_term(&l->b, OP_CBR, 1, &mine, 2, (BlockId[]){to, on});
}

void
twice_finish(Lower *l)
{
	for (u32 k = 0; k < l->twice.n; k++)
		land(l, &l->twice.at[k]);
	if (!l->twice.n)
		return;
	build_block_start(&l->b, l->throw_on);
	build_term(&l->b, OP_THROW, 0, NULL, 0, NULL);
}
