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
emit(Lower *l, Op op, BcType *t, u32 narg, const Val *args)
{
	u16 width;
	RegType rt = type_reg(l, t, &width);

	return emit_as(l, op, rt, width, narg, args);
}

Val
value_of_phi(Lower *l, BcValue *phi)
{
	Val r = phi->val;
	u16 width;
	RegType rt;

	if (r)
		return r;
	rt = type_reg(l, phi->type, &width);
	r = build_reg(&l->b, rt, width);
	value_set(l, phi, r);
	return r;
}

/* ---- order of blocks ---------------------------------------------------- */

/* The call in block that ends the process, or null. */
static BcValue *
find_trap(const Lower *l, BcBlock *block)
{
	BcValue *i = l->traps ? bc_first(block) : NULL;

	while (i && !intrinsic_is_trap(i))
		i = bc_next(i);
	return i;
}

static u32
successors(const Lower *l, BcBlock *block, BcValue *term)
{
	return find_trap(l, block) ? 0 : term->nto;
}

typedef Vec(BcBlock *) BlockList;
typedef struct Visit {
	BcBlock *block;
	u32 next; /* successor to look at */
} Visit;

/* The reachable blocks in postorder. */
static void
postorder(Lower *l, BlockList *out)
{
	Vec(Visit) stack = {0};

	l->m->blocks[0].mark = 1;
	vec_push(&l->scratch, &stack, (Visit){l->m->blocks, 0});
	while (stack.n) {
		Visit *v = &stack.at[stack.n - 1];
		BcValue *term = v->block->last;
		BcBlock *s;
		if (v->next == successors(l, v->block, term)) {
			vec_push(&l->scratch, out, v->block);
			stack.n--;
			continue;
		}
		s = term->to[v->next++];
		if (s->mark)
			continue;
		s->mark = 1;
		vec_push(&l->scratch, &stack, (Visit){s, 0});
	}
}

static bool
is_invoke(BcBlock *b)
{
	return b->last->op == LLVMInvoke;
}

static void
number_blocks(Lower *l, const BlockList *order)
{
	for (u32 i = order->n; i-- > 0;) {
		BcBlock *b = order->at[i];
		BlockId id = build_block_new(&l->b);
		b->head = id;
		BcValue *trap = find_trap(l, b);
		if (!trap)
			b->tail = id;
		twice_find(l, b, trap ? trap : b->last);
		if (is_invoke(b) && !trap)
			b->tail = build_block_new(&l->b);
	}
}

/* ---- terminators -------------------------------------------------------- */

static BlockId
target(const BcValue *term, u32 k)
{
	return term->to[k]->head;
}

static void
jump(Lower *l, BcValue *term, u32 k)
{
	build_term(&l->b, OP_BR, 0, NULL, 1, (BlockId[]){target(term, k)});
}

static void
lower_branch(Lower *l, BcValue *term)
{
	Val c;

	if (term->nto == 1) {
		jump(l, term, 0);
		return;
	}
	c = value_of(l, bc_operand(term, 0));
	build_term(&l->b, OP_CBR, 1, &c, 2, (BlockId[]){target(term, 0), target(term, 1)});
}

/* Switches on args[0], the case values behind it, to all successors. */
static void
branch_many(Lower *l, BcValue *term, Val *args)
{
	u32 n = term->nto;
	BlockId *succ = arena_array(&l->scratch, BlockId, n);

	for (u32 i = 0; i < n; i++)
		succ[i] = target(term, i);
	build_term(&l->b, OP_SWITCH, n, args, n, succ);
}

static void
lower_switch(Lower *l, BcValue *term)
{
	u32 n = term->nto;
	Val *args = arena_array(&l->scratch, Val, n);

	args[0] = value_of(l, bc_operand(term, 0));
	for (u32 i = 1; i < n; i++)
		args[i] = value_of(l, bc_operand(term, i));
	branch_many(l, term, args);
}

/* Any of the successors: computed jumps, assembly with labels, and what is
 * left of other languages. */
static void
lower_any(Lower *l, BcValue *term)
{
	u32 n = term->nto;
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
lower_return(Lower *l, BcValue *term)
{
	Val v = term->nop ? value_of(l, bc_operand(term, 0)) : 0;

	build_term(&l->b, OP_RET, v ? 1 : 0, &v, 0, NULL);
}

static void
lower_resume(Lower *l, BcValue *term)
{
	Val v = value_of(l, bc_operand(term, 0));

	build_term(&l->b, OP_THROW, 1, &v, 0, NULL);
}

static void
lower_terminator(Lower *l, BcValue *term)
{
	switch (term->op) {
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
find_late(Lower *l, BcValue *phi)
{
	for (u32 k = 0; k < phi->nop; k++) {
		BcValue *v = bc_operand(phi, k);
		BlockId pred = phi->to[k]->tail;
		if (!pred || !bc_is_constant(v) || value_const(l, v))
			continue;
		vec_push(&l->scratch, &l->late, (Late){phi, v, map_get(&l->late_of, pred)});
		map_put(&l->scratch, &l->late_of, pred, l->late.n);
	}
}

static void
find_all_late(Lower *l, const BlockList *order)
{
	for (u32 i = 0; i < order->n; i++) {
		BcValue *phi = bc_first(order->at[i]);
		for (; bc_is(phi, LLVMPHI); phi = bc_next(phi))
			find_late(l, phi);
	}
}

/* Computes at the end of block what phis take from it and is no operand. */
static void
compute_late(Lower *l, BcBlock *block)
{
	BlockId pred = block->tail;

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
locate(Lower *l, BcValue *ins)
{
	SrcId src = debug_src(l, ins);

	/* what has no position of its own belongs to what came before */
	if (src)
		l->b.src = src;
	l->b.site = ins->site;
}

static void
lower_invoke(Lower *l, BcBlock *block, BcValue *term)
{
	BlockId tail = block->tail;
	BlockId handler = term->to[1]->head;

	build_term(&l->b, OP_BR, 0, NULL, 1, &tail);
	build_block_start(&l->b, tail);
	build_block_exc(&l->b, tail, handler);
	call_lower(l, term);
}

static void
lower_block(Lower *l, BcBlock *block)
{
	BcValue *term = block->last;
	BcValue *trap = find_trap(l, block);
	BcValue *end = trap ? trap : term;

	build_block_start(&l->b, block->head);
	twice_enter(l, block);
	l->b.src = l->fn_src;
	for (BcValue *i = bc_first(block); i != end; i = bc_next(i)) {
		if (i->op == BC_DEBUG) {
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
	if (term->op == LLVMInvoke)
		lower_invoke(l, block, term);
	else if (term->op == LLVMCallBr)
		call_lower(l, term);
	lower_terminator(l, term);
}

/* Where each variable on the stack is declared. */
static void
find_declares(Lower *l)
{
	for (u32 b = 0; b < l->m->nblock; b++)
		for (BcValue *i = bc_first(&l->m->blocks[b]); i; i = bc_next(i)) {
			BcValue *v = i->op == BC_DEBUG && i->nop ? bc_operand(i, 0) : NULL;
			if (v && bc_is(v, LLVMAlloca) && !v->declare)
				v->declare = i;
		}
}

static void
set_params(Lower *l, FnId f)
{
	u32 base = l->ir->fns.at[f].reg;

	for (u32 k = 0; k < l->m->nparam; k++) {
		BcValue *p = BC_PARAM(l->m, k);
		Reg *r = &l->ir->regs.at[base + 1 + k];
		r->rt = (u8)type_reg(l, p->type, &r->width);
		value_set(l, p, k + 1);
	}
}

/* LLVM's own names, where there is no debug information. */
static void
name_params(Lower *l, FnId f)
{
	for (u32 k = 0; k < l->m->nparam; k++) {
		Reg *r = &l->ir->regs.at[l->ir->fns.at[f].reg + 1 + k];
		const BcValue *p = BC_PARAM(l->m, k);
		if (!r->name && p->nto)
			r->name = intern_bytes(&l->ir->strs, p->text, p->nto);
	}
}

static void
reset(Lower *l)
{
	arena_release(&l->scratch);
	l->edges = l->late_of = l->twice_of = l->handler = l->skips = (Map){0};
	l->slots.at = NULL;
	l->slots.n = l->slots.cap = 0;
	l->late.at = NULL;
	l->late.n = l->late.cap = 0;
	l->twice.at = NULL;
	l->twice.n = l->twice.cap = 0;
}

/* What debug information says of the function itself. */
static void
describe(Lower *l, Fn *f, const BcGlobal *g)
{
	const BcMeta *sub = debug_subprogram(l, g);
	StrId name;

	if (!sub)
		return;
	name = debug_name(l, sub);
	f->pretty = name == f->name ? 0 : name;
	f->src = debug_declared(l, sub);
	f->proto = debug_proto(l, sub);
}

void
function_declare(Lower *l, const BcGlobal *g)
{
	describe(l, &l->ir->fns.at[g->id], g);
}

bool
function_lower(Lower *l, BcGlobal *g)
{
	BlockList order = {0};

	reset(l);
	if (!bc_body(l->m, g))
		return false;
	bc_promote(l->m);
	shorten_function(l->m);
	function_declare(l, g);
	l->fn_src = l->ir->fns.at[g->id].src;
	l->may_throw = !bc_fn_attrs(l->m, &g->v)->no_unwind;
	build_begin(&l->b, l->ir, g->id);
	set_params(l, g->id);
	find_declares(l);
	postorder(l, &order);
	number_blocks(l, &order);
	twice_plan(l);
	find_all_late(l, &order);
	for (u32 i = order.n; i-- > 0;)
		lower_block(l, order.at[i]);
	twice_finish(l);
	fill_phis(l);
	name_params(l, g->id);
	build_end(&l->b);
	return true;
}
