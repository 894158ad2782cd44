/* memory.c - addresses, loads and stores, atomics, stack objects.
 *
 * A getelementptr becomes a chain of `field` (known offsets, added up within
 * one outermost struct, so that the offset names a member of it) and `index`
 * (one for each variable index, with its stride). */
#include "llvm/llvm_int.h"

/* ---- addresses ---------------------------------------------------------- */

/* The address computed so far: at, plus off bytes within a struct. */
typedef struct Path {
	Val at;
	i64 off;
	TypeId within; /* the outermost struct that off counts from, 0 none */
} Path;

static Val
flush(Lower *l, Path *p)
{
	Ins *i;

	if (p->off || p->within) {
		TypeId within = p->within;
		i64 off = p->off;
		p->at = emit_as(l, OP_FIELD, RT_PTR, (u16)(l->ir->ptr_bytes * 8), 1, &p->at);
		i = &l->ir->ins.at[l->ir->ins.n - 1];
		i->imm = off;
		i->aux = within;
	}
	p->off = 0;
	p->within = 0;
	return p->at;
}

static void
step_index(Lower *l, Path *p, Val idx, i64 stride, TypeId type)
{
	Ins *i;

	flush(l, p);
	if (!stride)
		return;
	p->at = emit_as(l, OP_INDEX, RT_PTR, (u16)(l->ir->ptr_bytes * 8), 2, (Val[]){p->at, idx});
	i = &l->ir->ins.at[l->ir->ins.n - 1];
	i->imm = stride;
	i->aux = type;
}

/* A struct type that clang made up has no names to give. */
static void
step_struct(Lower *l, Path *p, LLVMTypeRef t, u32 k)
{
	if (!p->within && !LLVMIsLiteralStruct(t)) {
		flush(l, p);
		p->within = type_of(l, t);
	}
	p->off += (i64)LLVMOffsetOfElement(l->layout, t, k);
}

/* A variable first index moves over elements of unknown number; if they are
 * arrays themselves, their type must not be taken for the extent. */
static TypeId
pointee(Lower *l, LLVMTypeRef t)
{
	TypeId id = type_of(l, t);

	return id && l->ir->types.at[id].kind != TYPE_ARRAY ? id : 0;
}

static bool
known_index(LLVMValueRef idx, i64 *k)
{
	if (!LLVMIsAConstantInt(idx) || LLVMGetIntTypeWidth(LLVMTypeOf(idx)) > 64)
		return false;
	*k = LLVMConstIntGetSExtValue(idx);
	return true;
}

/* Vectors of addresses: any element of the base, anywhere in its object. */
static Val
gep_vector(Lower *l, LLVMValueRef gep)
{
	Val base = value_of(l, LLVMGetOperand(gep, 0));
	Val any = emit_as(l, OP_NONDET, RT_INT, (u16)(l->ir->ptr_bytes * 8), 0, NULL);
	Val r = emit(l, OP_INDEX, LLVMTypeOf(gep), 2, (Val[]){base, any});

	l->ir->ins.at[l->ir->ins.n - 1].imm = 1;
	return r;
}

Val
memory_gep(Lower *l, LLVMValueRef gep)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
	u32 n = (u32)LLVMGetNumOperands(gep);
	Path p = {0};
	i64 k;

	if (LLVMGetTypeKind(LLVMTypeOf(gep)) != LLVMPointerTypeKind)
		return gep_vector(l, gep);
	p.at = value_of(l, LLVMGetOperand(gep, 0));
	for (u32 i = 1; i < n; i++) {
		LLVMValueRef idx = LLVMGetOperand(gep, i);
		bool known = known_index(idx, &k);
		LLVMTypeRef outer = t;
		if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
			step_struct(l, &p, t, (u32)k);
			t = LLVMStructGetTypeAtIndex(t, (u32)k);
			continue;
		}
		if (i > 1)
			t = LLVMGetElementType(t);
		if (known)
			p.off = (i64)((u64)p.off + (u64)k * type_size(l, t));
		else
			step_index(l, &p, value_of(l, idx), (i64)type_size(l, t),
				   i > 1 ? type_of(l, outer) : pointee(l, t));
	}
	return flush(l, &p);
}

Val
memory_at(Lower *l, Val p, i64 off)
{
	Path path = {p, off, 0};

	return flush(l, &path);
}

/* ---- accesses ----------------------------------------------------------- */

MemOrder
memory_ordering(LLVMAtomicOrdering o)
{
	switch (o) {
	case LLVMAtomicOrderingNotAtomic: return ORDER_PLAIN;
	case LLVMAtomicOrderingUnordered:
	case LLVMAtomicOrderingMonotonic: return ORDER_RELAXED;
	case LLVMAtomicOrderingAcquire: return ORDER_ACQUIRE;
	case LLVMAtomicOrderingRelease: return ORDER_RELEASE;
	case LLVMAtomicOrderingAcquireRelease: return ORDER_ACQ_REL;
	default: return ORDER_SEQ_CST;
	}
}

/* Bits that an access of type t touches; 0 if it is too wide for one. */
static u16
access_width(Lower *l, LLVMTypeRef t)
{
	u64 bits = LLVMStoreSizeOfType(l->layout, t) * 8;

	return bits > UINT16_MAX ? 0 : (u16)bits;
}

static Ins *
access(Lower *l, LLVMValueRef ins, Op op, u32 narg, const Val *args, LLVMTypeRef t)
{
	Ins *i = build_ins(&l->b, op, narg, args);

	i->width = access_width(l, t);
	i->order = (u8)memory_ordering(LLVMGetOrdering(ins));
	i->flags = LLVMGetVolatile(ins) ? INS_VOLATILE : 0;
	return i;
}

static Val
byte_count(Lower *l, LLVMTypeRef t)
{
	return ir_const_int(l->ir, (u16)(l->ir->ptr_bytes * 8),
			    (i64)LLVMStoreSizeOfType(l->layout, t));
}

static void
lower_load(Lower *l, LLVMValueRef ins)
{
	LLVMTypeRef t = LLVMTypeOf(ins);
	Val p = value_of(l, LLVMGetOperand(ins, 0));
	Ins *i;

	if (!LLVMStoreSizeOfType(l->layout, t)) {
		value_set(l, ins, ir_const_undef(l->ir));
	} else if (access_width(l, t)) {
		value_define(l, ins, access(l, ins, OP_LOAD, 1, &p, t));
	} else {
		access(l, ins, OP_READN, 2, (Val[]){p, byte_count(l, t)}, t);
		lower_assume(l, "pointers in a very wide loaded value are not followed");
		i = build_ins(&l->b, OP_NONDET, 0, NULL);
		value_define(l, ins, i);
	}
}

static void
lower_store(Lower *l, LLVMValueRef ins)
{
	LLVMValueRef from = LLVMGetOperand(ins, 0);
	LLVMTypeRef t = LLVMTypeOf(from);
	Val v = value_of(l, from);
	Val p = value_of(l, LLVMGetOperand(ins, 1));

	if (!LLVMStoreSizeOfType(l->layout, t))
		return;
	if (access_width(l, t)) {
		access(l, ins, OP_STORE, 2, (Val[]){p, v}, t);
	} else {
		access(l, ins, OP_WRITEN, 2, (Val[]){p, byte_count(l, t)}, t);
		lower_assume(l, "pointers in a very wide stored value are not followed");
	}
}

static BinOp
rmw_op(LLVMAtomicRMWBinOp op)
{
	static const u8 map[] = {
	    [LLVMAtomicRMWBinOpXchg] = BIN_XCHG, [LLVMAtomicRMWBinOpAdd] = BIN_ADD,
	    [LLVMAtomicRMWBinOpSub] = BIN_SUB,   [LLVMAtomicRMWBinOpAnd] = BIN_AND,
	    [LLVMAtomicRMWBinOpNand] = BIN_NAND, [LLVMAtomicRMWBinOpOr] = BIN_OR,
	    [LLVMAtomicRMWBinOpXor] = BIN_XOR,   [LLVMAtomicRMWBinOpMax] = BIN_MAX,
	    [LLVMAtomicRMWBinOpMin] = BIN_MIN,   [LLVMAtomicRMWBinOpUMax] = BIN_UMAX,
	    [LLVMAtomicRMWBinOpUMin] = BIN_UMIN,
	};

	return op < COUNT(map) ? (BinOp)map[op] : BIN_FLOAT;
}

static void
lower_rmw(Lower *l, LLVMValueRef ins)
{
	Val p = value_of(l, LLVMGetOperand(ins, 0));
	Val v = value_of(l, LLVMGetOperand(ins, 1));
	Ins *i = access(l, ins, OP_RMW, 2, (Val[]){p, v}, LLVMTypeOf(ins));

	i->sub = (u8)rmw_op(LLVMGetAtomicRMWBinOp(ins));
	value_define(l, ins, i);
}

/* The pair that LLVM gives back is kept as its two elements. */
static void
lower_cas(Lower *l, LLVMValueRef ins)
{
	Val p = value_of(l, LLVMGetOperand(ins, 0));
	Val expected = value_of(l, LLVMGetOperand(ins, 1));
	Val desired = value_of(l, LLVMGetOperand(ins, 2));
	LLVMTypeRef t = LLVMTypeOf(LLVMGetOperand(ins, 1));
	Val old = emit(l, OP_CAS, t, 3, (Val[]){p, expected, desired});
	Ins *i = &l->ir->ins.at[l->ir->ins.n - 1];
	Val same, lucky;
	u16 width = i->width;

	i->width = access_width(l, t);
	i->order = (u8)memory_ordering(LLVMGetCmpXchgSuccessOrdering(ins));
	i->flags = LLVMGetVolatile(ins) ? INS_VOLATILE : 0;
	same = emit_as(l, OP_CMP, RT_INT, 1, 2, (Val[]){old, expected});
	l->ir->ins.at[l->ir->ins.n - 1].sub = CMP_EQ;
	l->ir->ins.at[l->ir->ins.n - 1].imm = width;
	if (LLVMGetWeak(ins)) { /* may fail by itself */
		lucky = emit_as(l, OP_NONDET, RT_INT, 1, 0, NULL);
		same = emit_as(l, OP_BIN, RT_INT, 1, 2, (Val[]){same, lucky});
		l->ir->ins.at[l->ir->ins.n - 1].sub = BIN_AND;
	}
	value_set(l, ins, old);
	map_put(&l->scratch, &l->second, KEY(ins), same);
}

static void
lower_fence(Lower *l, LLVMValueRef ins)
{
	Ins *i = build_ins(&l->b, OP_FENCE, 0, NULL);

	i->order = (u8)memory_ordering(LLVMGetOrdering(ins));
}

/* ---- stack objects ------------------------------------------------------ */

static Val
alloca_size(Lower *l, LLVMValueRef ins, u64 unit)
{
	LLVMValueRef count = LLVMGetOperand(ins, 0);
	u16 bits = (u16)(l->ir->ptr_bytes * 8);
	Val n;

	if (LLVMIsAConstantInt(count))
		return ir_const_int(l->ir, bits, (i64)(unit * LLVMConstIntGetZExtValue(count)));
	n = value_of(l, count);
	if (unit == 1)
		return n;
	n = emit_as(l, OP_BIN, RT_INT, bits, 2, (Val[]){n, ir_const_int(l->ir, bits, (i64)unit)});
	l->ir->ins.at[l->ir->ins.n - 1].sub = BIN_MUL;
	return n;
}

/* The declared type, if it has the object's size, else LLVM's. */
static TypeId
alloca_type(Lower *l, LLVMValueRef ins, LLVMMetadataRef var, u64 size)
{
	TypeId id = var ? debug_variable_type(l, var) : 0;

	if (!LLVMIsAConstantInt(LLVMGetOperand(ins, 0)))
		return 0;
	if (id && l->ir->types.at[id].size == size)
		return id;
	return type_of(l, LLVMGetAllocatedType(ins));
}

static void
lower_alloca(Lower *l, LLVMValueRef ins)
{
	u32 row = map_get(&l->declares, KEY(ins));
	LLVMValueRef declare = row ? l->declared.at[row - 1] : NULL;
	u64 unit = type_size(l, LLVMGetAllocatedType(ins));
	Val size = alloca_size(l, ins, unit);
	SrcId src = declare ? debug_src(l, declare) : 0;
	LLVMMetadataRef var = declare ? debug_wrapped_node(declare, 1) : NULL;
	TypeId type = alloca_type(l, ins, var, unit);
	Ins *i = build_ins(&l->b, OP_ALLOC, 1, &size);

	i->sub = ALLOC_STACK;
	i->aux = type;
	if (src)
		i->src = src;
	value_define(l, ins, i);
}

static void
lower_va_arg(Lower *l, LLVMValueRef ins)
{
	Val list = value_of(l, LLVMGetOperand(ins, 0));
	Val at = emit_as(l, OP_LOAD, RT_PTR, (u16)(l->ir->ptr_bytes * 8), 1, &list);
	Ins *i = build_ins(&l->b, OP_LOAD, 1, &at);

	i->width = access_width(l, LLVMTypeOf(ins));
	value_define(l, ins, i);
}

void
memory_lower(Lower *l, LLVMValueRef ins, LLVMOpcode op)
{
	switch (op) {
	case LLVMAlloca: lower_alloca(l, ins); break;
	case LLVMLoad: lower_load(l, ins); break;
	case LLVMStore: lower_store(l, ins); break;
	case LLVMAtomicRMW: lower_rmw(l, ins); break;
	case LLVMAtomicCmpXchg: lower_cas(l, ins); break;
	case LLVMFence: lower_fence(l, ins); break;
	default: lower_va_arg(l, ins);
	}
}
