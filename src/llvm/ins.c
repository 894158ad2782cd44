/* ins.c - arithmetic, comparisons, casts, aggregates, and the dispatch.
 *
 * Everything that computes without touching memory works alike on
 * instructions and constant expressions.  Vectors and first-class aggregates
 * are one register each: what is put in flows in, what is taken out may be
 * anything that was put in. */
#include "llvm/llvm_int.h"

static Ins *
last(Lower *l)
{
	return &l->ir->ins.at[l->ir->ins.n - 1];
}

static bool
is_vector(BcType *t)
{
	LLVMTypeKind k = t->kind;

	return k == LLVMVectorTypeKind || k == LLVMScalableVectorTypeKind;
}

/* ---- arithmetic --------------------------------------------------------- */

static BinOp
bin_op(u8 op)
{
	switch (op) {
	case LLVMAdd: return BIN_ADD;
	case LLVMSub: return BIN_SUB;
	case LLVMMul: return BIN_MUL;
	case LLVMUDiv: return BIN_UDIV;
	case LLVMSDiv: return BIN_SDIV;
	case LLVMURem: return BIN_UREM;
	case LLVMSRem: return BIN_SREM;
	case LLVMShl: return BIN_SHL;
	case LLVMLShr: return BIN_LSHR;
	case LLVMAShr: return BIN_ASHR;
	case LLVMAnd: return BIN_AND;
	case LLVMOr: return BIN_OR;
	case LLVMXor: return BIN_XOR;
	default: return BIN_FLOAT;
	}
}

static Val
compute_bin(Lower *l, BcValue *v, u8 op)
{
	BcType *t = v->type;
	Val x = value_of(l, bc_operand(v, 0));
	Val y = op == LLVMFNeg ? ir_const_opaque(l->ir) : value_of(l, bc_operand(v, 1));
	Val r;

	if (is_vector(t)) /* the elements may be pointers cast to integers */
		return emit(l, OP_SELECT, t, 3, (Val[]){ir_const_undef(l->ir), x, y});
	r = emit(l, OP_BIN, t, 2, (Val[]){x, y});
	last(l)->sub = (u8)bin_op(op);
	return r;
}

static CmpPred
cmp_pred(BcValue *v)
{
	static const u8 map[] = {
	    [LLVMIntEQ] = CMP_EQ,   [LLVMIntNE] = CMP_NE,   [LLVMIntUGT] = CMP_UGT,
	    [LLVMIntUGE] = CMP_UGE, [LLVMIntULT] = CMP_ULT, [LLVMIntULE] = CMP_ULE,
	    [LLVMIntSGT] = CMP_SGT, [LLVMIntSGE] = CMP_SGE, [LLVMIntSLT] = CMP_SLT,
	    [LLVMIntSLE] = CMP_SLE,
	};

	return (CmpPred)map[v->sub];
}

static bool
is_zero(const BcValue *v)
{
	return bc_is_int(v) && v->type->bits <= 64 && !v->num;
}

static bool
is_undef(const BcValue *v)
{
	return v->kind == LLVMUndefValueValueKind || v->kind == LLVMPoisonValueValueKind;
}

/* C widens each truth value to int and compares that with 0 again: the value
 * itself, so that a branch is seen to depend on what was compared. */
static Val
tested_flag(Lower *l, BcValue *v)
{
	BcValue *left = bc_operand(v, 0), *right = bc_operand(v, 1);

	if (v->sub != LLVMIntNE || !bc_is(left, LLVMZExt) || !is_zero(right))
		return 0;
	left = bc_operand(left, 0);
	return left->type == l->m->int1 ? value_of(l, left) : 0;
}

static Val
compute_cmp(Lower *l, BcValue *v, u8 op)
{
	BcValue *left = bc_operand(v, 0);
	u16 width;
	Val x, y, r;

	if (is_vector(v->type))
		return emit(l, OP_NONDET, v->type, 0, NULL);
	if (op == LLVMICmp && (r = tested_flag(l, v)))
		return r;
	type_reg(l, left->type, &width);
	x = value_of(l, left);
	y = value_of(l, bc_operand(v, 1));
	r = emit(l, OP_CMP, v->type, 2, (Val[]){x, y});
	last(l)->sub = (u8)(op == LLVMICmp ? cmp_pred(v) : CMP_FLOAT);
	last(l)->imm = width;
	return r;
}

static CastKind
cast_kind(u8 op)
{
	switch (op) {
	case LLVMTrunc: return CAST_TRUNC;
	case LLVMZExt: return CAST_ZEXT;
	case LLVMSExt: return CAST_SEXT;
	case LLVMPtrToInt: return CAST_PTRTOINT;
	case LLVMIntToPtr: return CAST_INTTOPTR;
	default: return CAST_FLOAT;
	}
}

static Val
compute_cast(Lower *l, BcValue *v, u8 op)
{
	BcValue *from = bc_operand(v, 0);
	Val x = value_of(l, from), r;
	u16 width;

	if (op == LLVMTrunc && bc_is(from, LLVMZExt) && bc_operand(from, 0)->type == v->type)
		return value_of(l, bc_operand(from, 0)); /* a _Bool there and back */
	if (op == LLVMBitCast || op == LLVMAddrSpaceCast || op == LLVMFreeze || is_vector(v->type))
		return emit(l, OP_COPY, v->type, 1, &x);
	type_reg(l, from->type, &width);
	r = emit(l, OP_CAST, v->type, 1, &x);
	last(l)->sub = (u8)cast_kind(op);
	last(l)->imm = width;
	return r;
}

static Val
compute_select(Lower *l, BcValue *v)
{
	BcValue *cond = bc_operand(v, 0);
	Val c = is_vector(cond->type) ? ir_const_undef(l->ir) : value_of(l, cond);
	Val x = value_of(l, bc_operand(v, 1));
	Val y = value_of(l, bc_operand(v, 2));

	return emit(l, OP_SELECT, v->type, 3, (Val[]){c, x, y});
}

/* ---- aggregates --------------------------------------------------------- */

/* Either of the two operands: an element put into, or two vectors mixed. */
static Val
compute_mix(Lower *l, BcValue *v)
{
	Val x = value_of(l, bc_operand(v, 0));
	Val y = value_of(l, bc_operand(v, 1));

	if (is_undef(bc_operand(v, 0)))
		return emit(l, OP_COPY, v->type, 1, &y);
	if (is_undef(bc_operand(v, 1)))
		return emit(l, OP_COPY, v->type, 1, &x);
	return emit(l, OP_SELECT, v->type, 3, (Val[]){ir_const_undef(l->ir), x, y});
}

static Val
compute_extract(Lower *l, BcValue *v, u8 op)
{
	BcValue *from = bc_operand(v, 0);
	Val second = from->second;
	Val x;

	if (op == LLVMExtractValue && second && v->nto == 1)
		return v->index[0] ? second : value_of(l, from);
	x = value_of(l, from);
	return emit(l, OP_COPY, v->type, 1, &x);
}

Val
ins_compute(Lower *l, BcValue *v, u8 op)
{
	switch (op) {
	case LLVMGetElementPtr: return memory_gep(l, v);
	case LLVMICmp:
	case LLVMFCmp: return compute_cmp(l, v, op);
	case LLVMSelect: return compute_select(l, v);
	case LLVMInsertValue:
	case LLVMInsertElement:
	case LLVMShuffleVector: return compute_mix(l, v);
	case LLVMExtractValue:
	case LLVMExtractElement: return compute_extract(l, v, op);
	case LLVMAdd ... LLVMXor:
	case LLVMFNeg: return compute_bin(l, v, op);
	case LLVMTrunc ... LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMFreeze: return compute_cast(l, v, op);
	default: return 0;
	}
}

/* ---- dispatch ----------------------------------------------------------- */

/* One operand for each block that it comes from, however many edges there are. */
static void
lower_phi(Lower *l, BcValue *ins)
{
	u32 n = ins->nop, k = 0, first = l->slots.n;
	Val *args = arena_array(&l->scratch, Val, 4 * n);
	Val dst = value_of_phi(l, ins);
	Ins *i;
	u16 width;

	for (u32 p = 0; p < n; p++) {
		BlockId pred = ins->to[p]->tail;
		if (!pred || ins->to[p]->phi_mark == ins)
			continue; /* unreachable, or a second edge */
		ins->to[p]->phi_mark = ins;
		for (BlockId from = pred; from; from = twice_beside(l, from, ins)) {
			PhiSlot slot = {2 * k + 1, dst, from, bc_operand(ins, p)};
			vec_push(&l->scratch, &l->slots, slot);
			args[2 * k++] = from;
		}
	}
	l->b.site = 0; /* a pass may have made it */
	i = build_ins(&l->b, OP_PHI, 2 * k, args);
	i->dst = dst;
	i->rt = (u8)type_reg(l, ins->type, &width);
	i->width = width;
	for (u32 p = first; p < l->slots.n; p++)
		l->slots.at[p].arg += i->arg;
}

static void
lower_landing(Lower *l, BcValue *ins)
{
	value_define(l, ins, build_ins(&l->b, OP_NONDET, 0, NULL));
}

void
ins_lower(Lower *l, BcValue *ins)
{
	u8 op = ins->op;
	Val r;

	switch (op) {
	case LLVMPHI: lower_phi(l, ins); return;
	case LLVMAlloca:
	case LLVMLoad:
	case LLVMStore:
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
	case LLVMFence:
	case LLVMVAArg: memory_lower(l, ins, op); return;
	case LLVMCall: call_lower(l, ins); return;
	case LLVMLandingPad:
	case LLVMCatchPad:
	case LLVMCleanupPad: lower_landing(l, ins); return;
	default:
		r = ins_compute(l, ins, op);
		if (r)
			value_set(l, ins, r);
		else
			call_extern(l, ins, "an unknown instruction");
	}
}
