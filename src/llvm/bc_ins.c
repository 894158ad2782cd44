/* bc_ins.c - one record of a body: what computes values and touches memory.
 *
 * Values are counted back from the instruction; one that is still to come is told with its
 * type.  Operands are gathered first, since the instruction's own number is the next one. */
#include "llvm/bc_ins.h"

/* ---- operands ----------------------------------------------------------- */

u64
ins_num(BcModule *m, u32 *k)
{
	if (*k >= m->r.n) {
		m->bad = true;
		return 0;
	}
	return m->r.op[(*k)++];
}

BcValue *
ins_push(BcModule *m, BcValue *v)
{
	vec_push(m->arena, &m->operands, v);
	return v;
}

BcValue *
ins_operand(BcModule *m, u32 *k)
{
	u32 number = m->next - (u32)ins_num(m, k);
	BcType *t = number >= m->next ? bc_type(m, ins_num(m, k)) : NULL;

	return ins_push(m, bc_value(m, number, t));
}

BcValue *
ins_operand_of(BcModule *m, u32 *k, BcType *t)
{
	u32 number = m->next - (u32)ins_num(m, k);

	if (t->kind == LLVMMetadataTypeKind)
		return ins_push(m, bc_new(m, LLVMMetadataAsValueValueKind, t, 0));
	return ins_push(m, bc_value(m, number, t));
}

BcBlock *
ins_block(BcModule *m, u64 number)
{
	if (number < m->nblock)
		return &m->blocks[number];
	m->bad = true;
	return m->blocks;
}

BcBlock **
ins_blocks(BcModule *m, BcValue *i, u32 n)
{
	i->to = bc_alloc(m, n * sizeof *i->to);
	i->nto = n;
	return i->to;
}

/* ---- instructions ------------------------------------------------------- */

static BcValue *
append(BcModule *m, BcValue *i)
{
	BcBlock *b = &m->blocks[m->block];

	i->in = b;
	m->last_link = b->last ? &b->last->next : &b->first;
	*m->last_link = i;
	b->last = m->last = i;
	i->site = ++m->site;
	return i;
}

BcValue *
ins_emit(BcModule *m, LLVMOpcode op, BcType *t)
{
	u32 n = m->operands.n;
	bool numbered = t->kind != LLVMVoidTypeKind;
	BcValue *i = numbered ? bc_define(m, LLVMInstructionValueKind, t, n)
			      : bc_new(m, LLVMInstructionValueKind, t, n);

	if (n)
		memcpy(i->ops, m->operands.at, n * sizeof *i->ops);
	i->op = (u8)op;
	return append(m, i);
}

BcValue *
ins_emit_end(BcModule *m, LLVMOpcode op)
{
	BcValue *i = ins_emit(m, op, m->none);

	m->block++;
	return i;
}

static bool
is_vector(const BcType *t)
{
	return t->kind == LLVMVectorTypeKind || t->kind == LLVMScalableVectorTypeKind;
}

static bool
is_float(const BcType *t)
{
	if (is_vector(t))
		t = t->part[0];
	return t->kind != LLVMIntegerTypeKind && t->kind != LLVMPointerTypeKind;
}

static BcType *
element(BcModule *m, const BcType *t)
{
	if (is_vector(t))
		return t->part[0];
	m->bad = true;
	return m->int1;
}

/* ---- values ------------------------------------------------------------- */

static void
arithmetic(BcModule *m)
{
	static const u8 whole[] = {LLVMAdd,  LLVMSub,  LLVMMul, LLVMUDiv, LLVMSDiv,
				   LLVMURem, LLVMSRem, LLVMShl, LLVMLShr, LLVMAShr,
				   LLVMAnd,  LLVMOr,   LLVMXor};
	static const u8 real[] = {LLVMFAdd, LLVMFSub, LLVMFMul, LLVMFDiv,
				  LLVMFDiv, LLVMFRem, LLVMFRem};
	u32 k = 0;
	BcType *t = ins_operand(m, &k)->type;
	u64 code;
	bool f = is_float(t);
	BcValue *i;

	(void)ins_operand_of(m, &k, t);
	code = ins_num(m, &k);
	m->bad |= code >= (f ? COUNT(real) : COUNT(whole));
	if (m->bad)
		return;
	i = ins_emit(m, f ? real[code] : whole[code], t);
	if (!f && record_op(&m->r, k) & 2 &&
	    (i->op == LLVMAdd || i->op == LLVMSub || i->op == LLVMMul || i->op == LLVMShl))
		i->flags |= BC_NSW;
}

static void
cast(BcModule *m)
{
	u32 k = 0;
	BcType *t;
	u64 code;

	(void)ins_operand(m, &k);
	t = bc_type(m, ins_num(m, &k));
	code = ins_num(m, &k);
	m->bad |= code > 12;
	(void)ins_emit(m, code == 12 ? LLVMAddrSpaceCast : (LLVMOpcode)(LLVMTrunc + code), t);
}

static void
compare(BcModule *m)
{
	u32 k = 0;
	BcType *t = ins_operand(m, &k)->type;
	u64 how;

	(void)ins_operand_of(m, &k, t);
	how = ins_num(m, &k);
	m->bad |= how > LLVMIntSLE || (how < LLVMIntEQ) != is_float(t);
	ins_emit(m, how >= LLVMIntEQ ? LLVMICmp : LLVMFCmp,
		 is_vector(t) ? bc_vector(m, t, m->int1) : m->int1)
	    ->sub = (u8)how;
}

static void
choose(BcModule *m)
{
	u32 k = 0;
	BcType *t = ins_operand(m, &k)->type;
	BcValue *i;

	(void)ins_operand_of(m, &k, t);
	(void)ins_operand(m, &k);
	i = ins_emit(m, LLVMSelect, t);
	i->ops[0] = m->operands.at[2];
	i->ops[1] = m->operands.at[0];
	i->ops[2] = m->operands.at[1];
}

/* The result is a vector if any operand is. */
static void
address(BcModule *m)
{
	u32 k = 1;
	BcType *of = bc_type(m, ins_num(m, &k)), *t = NULL;

	while (k < m->r.n && !m->bad) {
		BcType *x = ins_operand(m, &k)->type;
		if (!t || (is_vector(x) && !is_vector(t)))
			t = t ? bc_vector(m, x, t) : x;
	}
	m->bad |= !t;
	if (t)
		ins_emit(m, LLVMGetElementPtr, t)->of = of;
}

static void
vectors(BcModule *m)
{
	u32 k = 0;
	BcType *t = ins_operand(m, &k)->type, *x;

	switch (m->r.code) {
	case INS_EXTRACT_ELEMENT:
		(void)ins_operand(m, &k);
		(void)ins_emit(m, LLVMExtractElement, element(m, t));
		return;
	case INS_INSERT_ELEMENT:
		(void)ins_operand_of(m, &k, element(m, t));
		(void)ins_operand(m, &k);
		(void)ins_emit(m, LLVMInsertElement, t);
		return;
	default:
		(void)ins_operand_of(m, &k, t);
		x = ins_operand(m, &k)->type;
		(void)element(m, x);
		(void)ins_emit(m, LLVMShuffleVector, m->bad ? t : bc_vector(m, x, element(m, t)));
	}
}

/* The type of the part of t that the rest of the record names. */
static BcType *
part(BcModule *m, u32 k, BcType *t)
{
	for (; k < m->r.n; k++) {
		u64 at = m->r.op[k];
		if (t->kind == LLVMStructTypeKind && at < t->n) {
			t = t->part[at];
		} else if (t->kind == LLVMArrayTypeKind) {
			t = t->part[0];
		} else {
			m->bad = true;
			return t;
		}
	}
	return t;
}

static void
parts(BcModule *m)
{
	bool insert = m->r.code == INS_INSERT_VALUE;
	u32 k = 0;
	BcType *t = ins_operand(m, &k)->type;
	BcValue *i;

	if (insert)
		(void)ins_operand(m, &k);
	m->bad |= k == m->r.n;
	i = ins_emit(m, insert ? LLVMInsertValue : LLVMExtractValue, insert ? t : part(m, k, t));
	i->nto = m->r.n - k;
	i->index = bc_alloc(m, i->nto * sizeof *i->index);
	for (u32 n = 0; n < i->nto; n++)
		i->index[n] = (u32)m->r.op[k + n];
}

static void
single(BcModule *m)
{
	u32 k = 0;
	BcType *t = ins_operand(m, &k)->type;

	(void)ins_emit(m, m->r.code == INS_FREEZE ? LLVMFreeze : LLVMFNeg, t);
}

/* [type, then values, signed, and blocks; flags of floats] */
static void
phi(BcModule *m)
{
	u32 n = m->r.n ? (m->r.n - 1) / 2 : 0;
	BcType *t = bc_type(m, record_op(&m->r, 0));
	BcBlock **from;

	for (u32 i = 0; i < n; i++) {
		u64 x = m->r.op[1 + 2 * i];
		u32 back = x & 1 ? -(u32)(x >> 1) : (u32)(x >> 1);
		(void)ins_push(m, bc_value(m, m->next - back, t));
	}
	from = ins_blocks(m, ins_emit(m, LLVMPHI, t), n);
	for (u32 i = 0; i < n; i++)
		from[i] = ins_block(m, m->r.op[2 + 2 * i]);
}

/* ---- memory ------------------------------------------------------------- */

static u8
ordering(BcModule *m, u64 code)
{
	static const u8 of[] = {ORDER_PLAIN,   ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQUIRE,
				ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST};

	m->bad |= code >= COUNT(of);
	return code < COUNT(of) ? of[code] : ORDER_PLAIN;
}

/* [order, scope].  One for this thread alone, against its own signal handlers, orders nothing between
 * threads. */
static void
fence(BcModule *m)
{
	enum { THIS_THREAD = 0 };
	u8 order = ordering(m, record_op(&m->r, 0));

	ins_emit(m, LLVMFence, m->none)->order =
	    record_op(&m->r, 1) == THIS_THREAD ? ORDER_PLAIN : order;
}

/* [type, type of the number, number, flags, address space if not that of the layout] */
static void
stack(BcModule *m)
{
	BcType *t = bc_type(m, record_op(&m->r, 0)), *of = bc_type(m, record_op(&m->r, 1));
	u32 space = m->r.n > 4 ? (u32)m->r.op[4] : m->layout.stack;

	(void)ins_push(m, bc_value(m, record_op(&m->r, 2), of));
	m->bad |= m->r.n < 4 || !(record_op(&m->r, 3) & 1 << 6) || !bc_is_sized(t);
	ins_emit(m, LLVMAlloca, bc_pointer(m, space))->of = t;
}

static void
load(BcModule *m)
{
	u32 k = 0;
	BcType *t;
	BcValue *i;

	(void)ins_operand(m, &k);
	t = bc_type(m, ins_num(m, &k));
	m->bad |= t->kind == LLVMVoidTypeKind;
	i = ins_emit(m, LLVMLoad, t);
	i->flags |= record_op(&m->r, k + 1) ? BC_VOLATILE : 0;
	if (m->r.code == INS_LOAD_ATOMIC)
		i->order = ordering(m, record_op(&m->r, k + 2));
}

static void
store(BcModule *m)
{
	u32 k = 0;
	BcValue *to = ins_operand(m, &k), *i;

	(void)ins_operand(m, &k);
	i = ins_emit(m, LLVMStore, m->none);
	i->ops[0] = m->operands.at[1];
	i->ops[1] = to;
	i->flags |= record_op(&m->r, k + 1) ? BC_VOLATILE : 0;
	if (m->r.code == INS_STORE_ATOMIC)
		i->order = ordering(m, record_op(&m->r, k + 2));
}

static BcType *
pair_type(BcModule *m, BcType *t)
{
	BcType *pair = bc_alloc(m, sizeof *pair);

	*pair = (BcType){.kind = LLVMStructTypeKind, .literal = true, .is_sized = true, .n = 2};
	pair->part = bc_alloc(m, 2 * sizeof *pair->part);
	pair->part[0] = t;
	pair->part[1] = m->int1;
	return pair;
}

/* [address, expected, new, volatile, ordering, scope, ordering of failure, weak] */
static void
exchange(BcModule *m)
{
	u32 k = 0;
	BcType *t;
	BcValue *i;

	(void)ins_operand(m, &k);
	t = ins_operand(m, &k)->type;
	(void)ins_operand_of(m, &k, t);
	i = ins_emit(m, LLVMAtomicCmpXchg, pair_type(m, t));
	i->flags |=
	    (record_op(&m->r, k) ? BC_VOLATILE : 0) | (record_op(&m->r, k + 4) ? BC_WEAK : 0);
	i->order = ordering(m, record_op(&m->r, k + 1));
	i->sub = ordering(m, record_op(&m->r, k + 3));
}

/* [address, value, what is done, volatile, ordering, scope] */
static void
update(BcModule *m)
{
	u32 k = 0;
	BcType *t;
	BcValue *i;

	(void)ins_operand(m, &k);
	t = ins_operand(m, &k)->type;
	i = ins_emit(m, LLVMAtomicRMW, t);
	i->sub = (u8)MIN(record_op(&m->r, k), 255);
	i->flags |= record_op(&m->r, k + 1) ? BC_VOLATILE : 0;
	i->order = ordering(m, record_op(&m->r, k + 2));
}

static void
next_argument(BcModule *m)
{
	u32 k = 1;

	(void)ins_operand_of(m, &k, bc_type(m, record_op(&m->r, 0)));
	(void)ins_emit(m, LLVMVAArg, bc_type(m, ins_num(m, &k)));
}

/* ---- dispatch ------------------------------------------------------------ */

void
bc_ins(BcModule *m)
{
	m->operands.n = 0;
	if (flow_about_last(m) || m->bad)
		return;
	if (m->block >= m->nblock) {
		m->bad = true;
		return;
	}
	switch (m->r.code) {
	case INS_BINOP: arithmetic(m); break;
	case INS_CAST: cast(m); break;
	case INS_CMP:
	case INS_CMP2: compare(m); break;
	case INS_SELECT: choose(m); break;
	case INS_GEP: address(m); break;
	case INS_EXTRACT_ELEMENT:
	case INS_INSERT_ELEMENT:
	case INS_SHUFFLE: vectors(m); break;
	case INS_EXTRACT_VALUE:
	case INS_INSERT_VALUE: parts(m); break;
	case INS_UNOP:
	case INS_FREEZE: single(m); break;
	case INS_PHI: phi(m); break;
	case INS_ALLOCA: stack(m); break;
	case INS_LOAD:
	case INS_LOAD_ATOMIC: load(m); break;
	case INS_STORE:
	case INS_STORE_ATOMIC: store(m); break;
	case INS_CMPXCHG: exchange(m); break;
	case INS_RMW: update(m); break;
	case INS_FENCE: fence(m); break;
	case INS_VAARG: next_argument(m); break;
	default: flow_ins(m);
	}
}
