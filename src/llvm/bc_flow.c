/* bc_flow.c - one record of a body: what ends blocks and calls, and what debug information says.
 *
 * What is said of an instruction comes behind it: its position, and which values variables have before
 * it. */
#include "llvm/bc_ins.h"

enum { CALL_TYPED = 15, CALL_MATH = 17, INVOKE_TYPED = 13 };

/* ---- control ------------------------------------------------------------ */

static void
ret(BcModule *m)
{
	u32 k = 0;

	if (m->r.n)
		(void)ins_operand(m, &k);
	(void)ins_emit_end(m, LLVMRet);
}

static void
branch(BcModule *m)
{
	u32 n = m->r.n == 1 ? 1 : 2, k = 2;
	BcBlock **to;

	if (n == 2)
		(void)ins_operand_of(m, &k, m->int1);
	to = ins_blocks(m, ins_emit_end(m, LLVMBr), n);
	for (u32 i = 0; i < n; i++)
		to[i] = ins_block(m, m->r.op[i]);
}

/* [type, value, default, then values by number and blocks] */
static void
many_ways(BcModule *m)
{
	BcType *t = bc_type(m, record_op(&m->r, 0));
	u32 k = 1, n = m->r.n > 3 ? (m->r.n - 3) / 2 : 0;
	BcBlock **to;

	(void)ins_operand_of(m, &k, t);
	for (u32 i = 0; i < n; i++)
		(void)ins_push(m, bc_value(m, m->r.op[3 + 2 * i], t));
	to = ins_blocks(m, ins_emit_end(m, LLVMSwitch), n + 1);
	to[0] = ins_block(m, record_op(&m->r, 2));
	for (u32 i = 0; i < n; i++)
		to[i + 1] = ins_block(m, m->r.op[4 + 2 * i]);
}

static void
computed(BcModule *m)
{
	u32 k = 1, n = m->r.n > 2 ? m->r.n - 2 : 0;
	BcBlock **to;

	(void)ins_operand_of(m, &k, bc_type(m, record_op(&m->r, 0)));
	to = ins_blocks(m, ins_emit_end(m, LLVMIndirectBr), n);
	for (u32 i = 0; i < n; i++)
		to[i] = ins_block(m, m->r.op[2 + i]);
}

/* A terminator of which nothing is known but where it goes: to the blocks that the record names
 * from k on. */
static void
leave(BcModule *m, LLVMOpcode op, u32 k)
{
	u32 n = m->r.n > k ? m->r.n - k : 0;
	BcBlock **to = ins_blocks(m, ins_emit_end(m, op), n);

	for (u32 i = 0; i < n; i++)
		to[i] = ins_block(m, m->r.op[k + i]);
}

static void
landing(BcModule *m)
{
	u64 code = m->r.code;
	BcType *t = code == INS_LANDING_PAD ? bc_type(m, record_op(&m->r, 0)) : m->token;

	(void)ins_emit(m,
		       code == INS_LANDING_PAD ? LLVMLandingPad
		       : code == INS_CATCH_PAD ? LLVMCatchPad
					       : LLVMCleanupPad,
		       t);
}

/* [within, how many handlers, these, where it throws to if none takes it]: the last comes first. */
static void
catch_switch(BcModule *m)
{
	u32 n = (u32)MIN(record_op(&m->r, 1), m->r.n), throws = m->r.n > 2 + n;
	BcValue *i = ins_emit(m, LLVMCatchSwitch, m->token);

	(void)ins_blocks(m, i, n + throws);
	if (throws)
		i->to[0] = ins_block(m, record_op(&m->r, 2 + n));
	for (u32 k = 0; k < n; k++)
		i->to[throws + k] = ins_block(m, record_op(&m->r, 2 + k));
	m->block++;
}

/* ---- calls -------------------------------------------------------------- */

/* The arguments, and behind them what is called. */
static BcValue *
call_with(BcModule *m, u32 k, LLVMOpcode op, BcType *fn)
{
	BcValue *callee = ins_operand(m, &k), *i;

	m->operands.n = 0;
	m->bad |= fn->kind != LLVMFunctionTypeKind;
	for (u32 p = 1; p < fn->n && !m->bad; p++)
		(void)ins_operand_of(m, &k, fn->part[p]);
	m->bad |= k != m->r.n && !fn->variadic;
	while (k < m->r.n && !m->bad)
		(void)ins_operand(m, &k);
	(void)ins_push(m, callee);
	if (m->bad)
		return callee;
	i = ins_emit(m, op, fn->part[0]);
	i->of = fn;
	i->attrs = (u32)record_op(&m->r, 0);
	m->bad |= i->attrs >= m->attrs.n;
	return i;
}

/* A call of one of LLVM's functions that say what a variable is: as a record does. */
static bool
is_debug_call(const BcValue *i)
{
	const BcValue *f = i->ops[i->nop - 1];

	return bc_is_fn(f) && ((const BcGlobal *)f)->nname > 9 &&
	       !memcmp(((const BcGlobal *)f)->name, "llvm.dbg.", 9);
}

/* [attributes, flags, flags of floats?, type, callee, arguments] */
static void
call(BcModule *m)
{
	u64 flags = record_op(&m->r, 1);
	u32 k = flags >> CALL_MATH & 1 ? 3 : 2;
	BcType *fn = bc_type(m, ins_num(m, &k));
	BcValue *i;

	m->bad |= !(flags >> CALL_TYPED & 1);
	i = call_with(m, k, LLVMCall, fn);
	m->bad |= m->bad || is_debug_call(i);
}

/* [attributes, flags, where it goes on, where it throws to, type, callee, arguments] */
static void
invoke(BcModule *m)
{
	u32 k = 4;
	BcType *fn = bc_type(m, ins_num(m, &k));
	BcBlock **to;
	BcValue *i;

	m->bad |= !(record_op(&m->r, 1) >> INVOKE_TYPED & 1);
	i = call_with(m, k, LLVMInvoke, fn);
	to = ins_blocks(m, i, 2);
	to[0] = ins_block(m, record_op(&m->r, 2));
	to[1] = ins_block(m, record_op(&m->r, 3));
	m->block++;
}

/* [attributes, flags, where it goes on, how many other blocks, these, type, callee, arguments] */
static void
call_branch(BcModule *m)
{
	u32 n = (u32)MIN(record_op(&m->r, 3), m->r.n), k = 4 + n;
	BcType *fn = bc_type(m, ins_num(m, &k));
	BcValue *i;

	m->bad |= !(record_op(&m->r, 1) >> CALL_TYPED & 1);
	i = call_with(m, k, LLVMCallBr, fn);
	(void)ins_blocks(m, i, n + 1);
	i->to[0] = ins_block(m, record_op(&m->r, 2));
	for (u32 j = 0; j < n; j++)
		i->to[j + 1] = ins_block(m, record_op(&m->r, 4 + j));
	m->block++;
}

/* What a call gets beside its arguments. */
static void
bundle(BcModule *m)
{
	u32 k = 1;

	while (k < m->r.n && !m->bad)
		ins_operand(m, &k)->flags |= BC_ESCAPES;
}

/* ---- debug information -------------------------------------------------- */

static u32
position(BcModule *m, u32 line, u32 col, BcMeta *scope)
{
	vec_push(m->arena, &m->locs, (BcLoc){.line = line, .col = col, .scope = scope});
	return m->locs.n;
}

/* [line, column, scope, where it was inlined] */
static void
locate(BcModule *m)
{
	const Record *r = &m->r;
	u64 scope = record_op(r, 2);

	m->last_loc = position(m, (u32)record_op(r, 0), (u32)record_op(r, 1),
			       scope ? bc_meta(m, &m->fn->nodes, scope - 1) : NULL);
	if (m->last)
		m->last->loc = m->last_loc;
}

static u32
position_of(BcModule *m, const BcMeta *md)
{
	if (!md || md->kind != MD_LOCATION)
		return 0;
	return position(m, (u32)bc_meta_num(md, 1), (u32)bc_meta_num(md, 2),
			bc_meta(m, md->beside, bc_meta_num(md, 3)));
}

/* The value that a node wraps; null: none. */
static BcValue *
wrapped(BcModule *m, const BcMeta *md)
{
	if (!md || md->kind != MD_VALUE)
		return NULL;
	return bc_value(m, bc_meta_num(md, 1), bc_type(m, bc_meta_num(md, 0)));
}

/* Is more done with the value than to follow it? */
static bool
is_part(const BcMeta *expression)
{
	enum { DEREF = 6 };

	return expression && expression->n > 2 && bc_meta_num(expression, 1) == DEREF;
}

/* [position, variable, expression, value or node of it] */
static void
debug_record(BcModule *m)
{
	const BcMetas *nodes = &m->fn->nodes;
	BcMeta *var = bc_meta(m, nodes, record_op(&m->r, 1));
	u32 k = 3;
	BcValue *v, *i;

	v = m->r.code == INS_DEBUG_SIMPLE ? ins_operand(m, &k)
					  : wrapped(m, bc_meta(m, nodes, record_op(&m->r, 3)));
	m->bad |= !m->last || m->r.n < 4;
	if (m->bad)
		return;
	i = bc_new(m, LLVMInstructionValueKind, m->none, v ? 1 : 0);
	if (v)
		i->ops[0] = v;
	i->op = BC_DEBUG;
	i->var = var && var->kind == MD_LOCAL_VAR ? var : NULL;
	i->sub = m->r.code == INS_DEBUG_DECLARE;
	i->order = is_part(bc_meta(m, nodes, record_op(&m->r, 2)));
	i->loc = position_of(m, bc_meta(m, nodes, record_op(&m->r, 0)));
	i->in = m->last->in;
	i->next = m->last;
	*m->last_link = i;
	m->last_link = &i->next;
}

/* ---- dispatch ------------------------------------------------------------ */

bool
flow_about_last(BcModule *m)
{
	switch (m->r.code) {
	case INS_LOC: locate(m); return true;
	case INS_LOC_AGAIN:
		if (m->last)
			m->last->loc = m->last_loc;
		return true;
	case INS_DEBUG_VALUE:
	case INS_DEBUG_DECLARE:
	case INS_DEBUG_ASSIGN:
	case INS_DEBUG_SIMPLE: debug_record(m); return true;
	case INS_DEBUG_LABEL:
	case INS_BLOCK_USERS: return true;
	case INS_BUNDLE: bundle(m); return true;
	default: return false;
	}
}

void
flow_ins(BcModule *m)
{
	u32 k = 0;

	switch (m->r.code) {
	case INS_RET: ret(m); break;
	case INS_BR: branch(m); break;
	case INS_SWITCH: many_ways(m); break;
	case INS_INVOKE: invoke(m); break;
	case INS_UNREACHABLE: (void)ins_emit_end(m, LLVMUnreachable); break;
	case INS_INDIRECT_BR: computed(m); break;
	case INS_RESUME:
		(void)ins_operand(m, &k);
		(void)ins_emit_end(m, LLVMResume);
		break;
	case INS_CALLBR: call_branch(m); break;
	case INS_CLEANUP_RET: leave(m, LLVMCleanupRet, 1); break;
	case INS_CATCH_RET: leave(m, LLVMCatchRet, 1); break;
	case INS_CATCH_SWITCH: catch_switch(m); break;
	case INS_LANDING_PAD:
	case INS_CATCH_PAD:
	case INS_CLEANUP_PAD: landing(m); break;
	case INS_CALL: call(m); break;
	default: m->bad = true;
	}
}
