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

static bool
returns_twice(const Lower *l, LLVMValueRef i)
{
	LLVMValueRef callee;

	if (!LLVMIsACallInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind)
		return false;
	callee = LLVMGetCalledValue(i);
	return LLVMGetCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, l->attr.twice) ||
	       (LLVMIsAFunction(callee) &&
		LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, l->attr.twice));
}

void
twice_find(Lower *l, LLVMBasicBlockRef block, LLVMValueRef end)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); l->jumps && i != end;
	     i = LLVMGetNextInstruction(i)) {
		if (!returns_twice(l, i))
			continue;
		vec_push(&l->scratch, &l->twice,
			 (Twice){.call = i, .block = block, .resume = build_block_new(&l->b)});
		map_put(&l->scratch, &l->twice_of, KEY(i), l->twice.n);
		map_put(&l->scratch, &l->tail, KEY(block), l->twice.at[l->twice.n - 1].resume);
	}
}

typedef Vec(LLVMBasicBlockRef) Blocks;

/* Marks in seen what is reached behind `from`, or from it if it is the entry, without passing `not`. */
static void
reach(Lower *l, LLVMBasicBlockRef from, bool itself, LLVMBasicBlockRef not, Map *seen)
{
	Blocks stack = {0};

	if (itself)
		map_put(&l->scratch, seen, KEY(from), 1);
	vec_push(&l->scratch, &stack, from);
	while (stack.n) {
		LLVMValueRef term = LLVMGetBasicBlockTerminator(stack.at[--stack.n]);
		for (u32 k = 0; k < LLVMGetNumSuccessors(term); k++) {
			LLVMBasicBlockRef to = LLVMGetSuccessor(term, k);
			if (to == not|| map_get(seen, KEY(to)))
				continue;
			map_put(&l->scratch, seen, KEY(to), 1);
			vec_push(&l->scratch, &stack, to);
		}
	}
}

/* Is anything called in b before end? */
static bool
has_call(LLVMBasicBlockRef b, LLVMValueRef end)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != end; i = LLVMGetNextInstruction(i)) {
		LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
		if (callee && !(LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee)))
			return true;
	}
	return false;
}

/* The comparison with zero that is all that is done with v, and decides the branch end; else null. */
static LLVMValueRef
sole_test(LLVMValueRef v, LLVMValueRef end)
{
	LLVMUseRef use = LLVMGetFirstUse(v), next;
	LLVMValueRef cmp = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL, zero;

	if (!cmp || !LLVMIsAICmpInst(cmp) || !LLVMIsABranchInst(end) || !LLVMIsConditional(end) ||
	    LLVMGetCondition(end) != cmp)
		return NULL;
	zero = LLVMGetOperand(cmp, LLVMGetOperand(cmp, 0) == v);
	next = LLVMGetNextUse(LLVMGetFirstUse(cmp));
	return LLVMIsAConstantInt(zero) && !LLVMConstIntGetZExtValue(zero) && !next ? cmp : NULL;
}

/* Does each phi of b have operands that need not be computed for them? */
static bool
phis_plain(Lower *l, LLVMBasicBlockRef b)
{
	for (LLVMValueRef phi = LLVMGetFirstInstruction(b); LLVMIsAPHINode(phi);
	     phi = LLVMGetNextInstruction(phi))
		for (u32 k = 0; k < LLVMCountIncoming(phi); k++) {
			LLVMValueRef v = LLVMGetIncomingValue(phi, k);
			if (LLVMIsConstant(v) && !value_const(l, v))
				return false;
		}
	return true;
}

/* Where control goes if the call does not return zero, if nothing happens on the way there. */
static LLVMBasicBlockRef
way_of_others(Lower *l, const Twice *t)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(t->block), cmp = sole_test(t->call, end);
	LLVMBasicBlockRef to = NULL;

	if (!cmp)
		return NULL;
	for (LLVMValueRef i = LLVMGetNextInstruction(t->call); i != end;
	     i = LLVMGetNextInstruction(i))
		if (i != cmp && !debug_is_intrinsic(l, i))
			return NULL;
	if (LLVMGetICmpPredicate(cmp) == LLVMIntNE)
		to = LLVMGetSuccessor(end, 0);
	else if (LLVMGetICmpPredicate(cmp) == LLVMIntEQ)
		to = LLVMGetSuccessor(end, 1);
	return to && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1) && phis_plain(l, to)
		   ? to
		   : NULL;
}

/* The calls are known in an order in which those that dominate others come first: each takes the
 * blocks that it dominates from the one before. */
static void
plan_site(Lower *l, Twice *t, u32 number)
{
	LLVMValueRef fn = LLVMGetBasicBlockParent(t->block);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(fn);
	Map around = {0}, behind = {0};

	t->landing = build_block_new(&l->b);
	t->skip = way_of_others(l, t);
	if (t->skip)
		map_put(&l->scratch, &l->skips,
			map_pair(t->resume, map_get(&l->head, KEY(t->skip))), t->landing);
	t->outer = map_get(&l->handler, KEY(t->block));
	if (number > 1 && l->twice.at[number - 2].block == t->block)
		t->outer = number - 1;
	if (t->block != entry)
		reach(l, entry, true, t->block, &around);
	reach(l, t->block, false, NULL, &behind);
	for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b)) {
		bool dominated = !map_get(&around, KEY(b));
		if (b != t->block && dominated && map_get(&l->head, KEY(b)))
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
twice_enter(Lower *l, LLVMBasicBlockRef block)
{
	u32 t = map_get(&l->handler, KEY(block));

	if (t)
		build_block_exc(&l->b, map_get(&l->head, KEY(block)), l->twice.at[t - 1].landing);
}

void
twice_resume(Lower *l, LLVMValueRef call)
{
	u32 n = map_get(&l->twice_of, KEY(call));
	Twice *t = n ? &l->twice.at[n - 1] : NULL;
	Val first;
	BlockId from;

	if (!t)
		return;
	first = t->loose ? emit(l, OP_NONDET, LLVMTypeOf(call), 0, NULL) : value_of(l, call);
	t->second =
	    build_reg(&l->b, RT_INT, l->ir->regs.at[l->ir->fns.at[l->b.fn].reg + first].width);
	from = l->b.cur;
	build_term(&l->b, OP_BR, 0, NULL, 1, &t->resume);
	build_block_start(&l->b, t->resume);
	build_block_exc(&l->b, t->resume, t->landing);
	if (t->skip)
		value_set(l, call, first);
	else
		value_set(l, call,
			  emit(l, OP_PHI, LLVMTypeOf(call), 4,
			       (Val[]){from, first, t->landing, t->second}));
}

BlockId
twice_beside(Lower *l, BlockId pred, LLVMValueRef phi)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(phi);

	return l->twice.n ? map_get(&l->skips, map_pair(pred, map_get(&l->head, KEY(b)))) : 0;
}

/* Control comes back here, or goes on to whoever called setjmp before. */
static void
land(Lower *l, const Twice *t)
{
	LLVMTypeRef type = LLVMTypeOf(t->call);
	u16 width;
	BlockId on = t->outer ? l->twice.at[t->outer - 1].landing : l->throw_on;
	BlockId to = t->skip ? map_get(&l->head, KEY(t->skip)) : t->resume;
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
