/* function.c - one function body: blocks, terminators, phis.
 *
 * Blocks are lowered in reverse postorder and unreachable ones dropped, so
 * each definition comes before its uses, those of phis excepted: the operands
 * of phis are filled in when all blocks are done.  A constant expression that
 * a phi takes is computed at the end of the block that it comes from.
 * An invoke gets a block of its own: calls before it must not reach its
 * handler. */
#include "llvm/llvm_int.h"

Val
emit_as(Lower *l, Op op, RegType rt, u16 width, u32 narg, const Val *args)
{
	Val r = build_reg(&l->b, rt, width);
	Ins *i = build_ins(&l->b, op, narg, args);

	i->dst = r;
	i->rt = (u8)rt;
	i->width = width;
	return r;
}

Val
emit(Lower *l, Op op, LLVMTypeRef t, u32 narg, const Val *args)
{
	u16 width;
	RegType rt = type_reg(l, t, &width);

	return emit_as(l, op, rt, width, narg, args);
}

Val
value_of_phi(Lower *l, LLVMValueRef phi)
{
	Val r = map_get(&l->vals, KEY(phi));
	u16 width;
	RegType rt;

	if (r)
		return r;
	rt = type_reg(l, LLVMTypeOf(phi), &width);
	r = build_reg(&l->b, rt, width);
	value_set(l, phi, r);
	return r;
}

/* ---- order of blocks ---------------------------------------------------- */

/* The call in block that ends the process, or null. */
static LLVMValueRef
find_trap(const Lower *l, LLVMBasicBlockRef block)
{
	LLVMValueRef i = l->traps ? LLVMGetFirstInstruction(block) : NULL;

	while (i && !intrinsic_is_trap(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

static u32
successors(const Lower *l, LLVMBasicBlockRef block, LLVMValueRef term)
{
	return find_trap(l, block) ? 0 : LLVMGetNumSuccessors(term);
}

typedef Vec(LLVMBasicBlockRef) BlockList;
typedef struct Visit {
	LLVMBasicBlockRef block;
	u32 next; /* successor to look at */
} Visit;

/* The reachable blocks in postorder. */
static void
postorder(Lower *l, LLVMValueRef fn, BlockList *out)
{
	Vec(Visit) stack = {0};
	Map seen = {0};

	map_put(&l->scratch, &seen, KEY(LLVMGetEntryBasicBlock(fn)), 1);
	vec_push(&l->scratch, &stack, (Visit){LLVMGetEntryBasicBlock(fn), 0});
	while (stack.n) {
		Visit *v = &stack.at[stack.n - 1];
		LLVMValueRef term = LLVMGetBasicBlockTerminator(v->block);
		LLVMBasicBlockRef s;
		if (v->next == successors(l, v->block, term)) {
			vec_push(&l->scratch, out, v->block);
			stack.n--;
			continue;
		}
		s = LLVMGetSuccessor(term, v->next++);
		if (map_get(&seen, KEY(s)))
			continue;
		map_put(&l->scratch, &seen, KEY(s), 1);
		vec_push(&l->scratch, &stack, (Visit){s, 0});
	}
}

static bool
is_invoke(LLVMBasicBlockRef b)
{
	return LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b)) == LLVMInvoke;
}

static void
number_blocks(Lower *l, const BlockList *order)
{
	for (u32 i = order->n; i-- > 0;) {
		LLVMBasicBlockRef b = order->at[i];
		BlockId id = build_block_new(&l->b);
		map_put(&l->scratch, &l->head, KEY(b), id);
		LLVMValueRef trap = find_trap(l, b);
		if (!trap)
			map_put(&l->scratch, &l->tail, KEY(b), id);
		twice_find(l, b, trap ? trap : LLVMGetBasicBlockTerminator(b));
		if (is_invoke(b) && !trap)
			map_put(&l->scratch, &l->tail, KEY(b), build_block_new(&l->b));
	}
}

/* ---- terminators -------------------------------------------------------- */

static BlockId
target(Lower *l, LLVMValueRef term, u32 k)
{
	return map_get(&l->head, KEY(LLVMGetSuccessor(term, k)));
}

static void
jump(Lower *l, LLVMValueRef term, u32 k)
{
	build_term(&l->b, OP_BR, 0, NULL, 1, (BlockId[]){target(l, term, k)});
}

static void
lower_branch(Lower *l, LLVMValueRef term)
{
	Val c;

	if (LLVMGetNumSuccessors(term) == 1) {
		jump(l, term, 0);
		return;
	}
	c = value_of(l, LLVMGetCondition(term));
	build_term(&l->b, OP_CBR, 1, &c, 2, (BlockId[]){target(l, term, 0), target(l, term, 1)});
}

/* Switches on args[0], the case values behind it, to all successors. */
static void
branch_many(Lower *l, LLVMValueRef term, Val *args)
{
	u32 n = LLVMGetNumSuccessors(term);
	BlockId *succ = arena_array(&l->scratch, BlockId, n);

	for (u32 i = 0; i < n; i++)
		succ[i] = target(l, term, i);
	build_term(&l->b, OP_SWITCH, n, args, n, succ);
}

static void
lower_switch(Lower *l, LLVMValueRef term)
{
	u32 n = LLVMGetNumSuccessors(term);
	Val *args = arena_array(&l->scratch, Val, n);

	args[0] = value_of(l, LLVMGetOperand(term, 0));
	for (u32 i = 1; i < n; i++)
		args[i] = value_of(l, LLVMGetOperand(term, 2 * i));
	branch_many(l, term, args);
}

/* Any of the successors: computed jumps, assembly with labels, and what is
 * left of other languages. */
static void
lower_any(Lower *l, LLVMValueRef term)
{
	u32 n = LLVMGetNumSuccessors(term);
	Val *args = arena_array(&l->scratch, Val, n + 1);

	if (n == 0) {
		build_term(&l->b, OP_THROW, 0, NULL, 0, NULL);
		return;
	}
	if (n == 1) {
		jump(l, term, 0);
		return;
	}
	args[0] = emit_as(l, OP_NONDET, RT_INT, 32, 0, NULL);
	for (u32 i = 1; i < n; i++)
		args[i] = ir_const_int(l->ir, 32, i);
	branch_many(l, term, args);
}

static void
lower_return(Lower *l, LLVMValueRef term)
{
	Val v = LLVMGetNumOperands(term) ? value_of(l, LLVMGetOperand(term, 0)) : 0;

	build_term(&l->b, OP_RET, v ? 1 : 0, &v, 0, NULL);
}

static void
lower_resume(Lower *l, LLVMValueRef term)
{
	Val v = value_of(l, LLVMGetOperand(term, 0));

	build_term(&l->b, OP_THROW, 1, &v, 0, NULL);
}

static void
lower_terminator(Lower *l, LLVMValueRef term)
{
	switch (LLVMGetInstructionOpcode(term)) {
	case LLVMRet: lower_return(l, term); break;
	case LLVMBr: lower_branch(l, term); break;
	case LLVMSwitch: lower_switch(l, term); break;
	case LLVMInvoke: jump(l, term, 0); break;
	case LLVMUnreachable: build_term(&l->b, OP_UNREACHABLE, 0, NULL, 0, NULL); break;
	case LLVMResume: lower_resume(l, term); break;
	default: lower_any(l, term);
	}
}

/* ---- phis --------------------------------------------------------------- */

/* Remembers, at the block they come from, what phis take that must first be
 * computed. */
static void
find_late(Lower *l, LLVMValueRef phi)
{
	for (u32 k = 0; k < LLVMCountIncoming(phi); k++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, k);
		BlockId pred = map_get(&l->tail, KEY(LLVMGetIncomingBlock(phi, k)));
		if (!pred || !LLVMIsConstant(v) || value_const(l, v))
			continue;
		vec_push(&l->scratch, &l->late, (Late){phi, v, map_get(&l->late_of, pred)});
		map_put(&l->scratch, &l->late_of, pred, l->late.n);
	}
}

static void
find_all_late(Lower *l, const BlockList *order)
{
	for (u32 i = 0; i < order->n; i++) {
		LLVMValueRef phi = LLVMGetFirstInstruction(order->at[i]);
		for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
			find_late(l, phi);
	}
}

/* Computes at the end of block what phis take from it and is no operand. */
static void
compute_late(Lower *l, LLVMBasicBlockRef block)
{
	BlockId pred = map_get(&l->tail, KEY(block));

	for (u32 k = map_get(&l->late_of, pred); k; k = l->late.at[k - 1].next) {
		const Late late = l->late.at[k - 1];
		u64 edge = map_pair(value_of_phi(l, late.phi), pred);
		if (!map_get(&l->edges, edge)) /* else a second edge between them */
			map_put(&l->scratch, &l->edges, edge, value_of(l, late.value));
	}
}

static void
fill_phis(Lower *l)
{
	for (u32 i = 0; i < l->slots.n; i++) {
		const PhiSlot *s = &l->slots.at[i];
		Val v = map_get(&l->edges, map_pair(s->phi, s->pred));
		l->ir->args.at[s->arg] = v ? v : value_of(l, s->value);
	}
}

/* ---- bodies ------------------------------------------------------------- */

static void
locate(Lower *l, LLVMValueRef ins)
{
	SrcId src = debug_src(l, ins);

	/* what has no position of its own belongs to what came before */
	if (src)
		l->b.src = src;
	l->b.site = map_get(&l->site, KEY(ins));
}

static void
lower_invoke(Lower *l, LLVMBasicBlockRef block, LLVMValueRef term)
{
	BlockId tail = map_get(&l->tail, KEY(block));
	BlockId handler = map_get(&l->head, KEY(LLVMGetUnwindDest(term)));

	build_term(&l->b, OP_BR, 0, NULL, 1, &tail);
	build_block_start(&l->b, tail);
	build_block_exc(&l->b, tail, handler);
	call_lower(l, term);
}

static void
lower_block(Lower *l, LLVMBasicBlockRef block)
{
	LLVMValueRef term = LLVMGetBasicBlockTerminator(block);
	LLVMValueRef trap = find_trap(l, block);
	LLVMValueRef end = trap ? trap : term;

	build_block_start(&l->b, map_get(&l->head, KEY(block)));
	twice_enter(l, block);
	l->b.src = l->fn_src;
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != end;
	     i = LLVMGetNextInstruction(i)) {
		if (debug_is_intrinsic(l, i)) {
			debug_name_variable(l, i);
			continue;
		}
		locate(l, i);
		ins_lower(l, i);
		twice_resume(l, i);
	}
	locate(l, end);
	if (trap) {
		build_term(&l->b, OP_EXIT, 0, NULL, 0, NULL);
		return;
	}
	compute_late(l, block); /* before an invoke: its handler may take it too */
	if (LLVMGetInstructionOpcode(term) == LLVMInvoke)
		lower_invoke(l, block, term);
	else if (LLVMGetInstructionOpcode(term) == LLVMCallBr)
		call_lower(l, term);
	lower_terminator(l, term);
}

/* Where each variable on the stack is declared. */
static void
find_declares(Lower *l, LLVMValueRef fn)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(fn); b; b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef v;
			if (!debug_is_intrinsic(l, i) || !(v = debug_wrapped_value(i, 0)) ||
			    !LLVMIsAAllocaInst(v) || map_get(&l->declares, KEY(v)))
				continue;
			vec_push(&l->scratch, &l->declared, i);
			map_put(&l->scratch, &l->declares, KEY(v), l->declared.n);
		}
}

static void
set_params(Lower *l, FnId f, LLVMValueRef fn)
{
	u32 base = l->ir->fns.at[f].reg;

	for (u32 k = 0; k < LLVMCountParams(fn); k++) {
		LLVMValueRef p = LLVMGetParam(fn, k);
		Reg *r = &l->ir->regs.at[base + 1 + k];
		r->rt = (u8)type_reg(l, LLVMTypeOf(p), &r->width);
		value_set(l, p, k + 1);
	}
}

/* LLVM's own names, where there is no debug information. */
static void
name_params(Lower *l, FnId f, LLVMValueRef fn)
{
	for (u32 k = 0; k < LLVMCountParams(fn); k++) {
		Reg *r = &l->ir->regs.at[l->ir->fns.at[f].reg + 1 + k];
		size_t n;
		const char *name = LLVMGetValueName2(LLVMGetParam(fn, k), &n);
		if (!r->name && n)
			r->name = intern_bytes(&l->ir->strs, name, n);
	}
}

static void
reset(Lower *l)
{
	arena_release(&l->scratch);
	l->site = l->srcs = l->vals = l->second = (Map){0};
	l->declares = l->head = l->tail = l->edges = l->late_of = l->phi_seen = l->twice_of =
	    l->handler = l->skips = (Map){0};
	l->declared.at = NULL;
	l->declared.n = l->declared.cap = 0;
	l->slots.at = NULL;
	l->slots.n = l->slots.cap = 0;
	l->late.at = NULL;
	l->late.n = l->late.cap = 0;
	l->twice.at = NULL;
	l->twice.n = l->twice.cap = 0;
}

/* The ordinals of fn's instructions: bodies are lowered in the order in which they were
 * numbered. */
static void
set_sites(Lower *l)
{
	u32 n = 0;

	while (l->sites.at[l->nsite])
		map_put(&l->scratch, &l->site, KEY(l->sites.at[l->nsite++]), ++n);
	l->nsite++;
}

void
function_lower(Lower *l, FnId f, LLVMValueRef fn)
{
	BlockList order = {0};

	reset(l);
	set_sites(l);
	l->fn_src = l->ir->fns.at[f].src;
	l->may_throw =
	    !LLVMGetEnumAttributeAtIndex(fn, LLVMAttributeFunctionIndex, l->attr.nounwind);
	build_begin(&l->b, l->ir, f);
	set_params(l, f, fn);
	find_declares(l, fn);
	postorder(l, fn, &order);
	number_blocks(l, &order);
	twice_plan(l);
	find_all_late(l, &order);
	for (u32 i = order.n; i-- > 0;)
		lower_block(l, order.at[i]);
	twice_finish(l);
	fill_phis(l);
	name_params(l, f, fn);
	build_end(&l->b);
}
