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
step_struct(Lower *l, Path *p, BcType *t, u32 k)
{
	if (!p->within && !t->literal) {
		flush(l, p);
		p->within = type_of(l, t);
	}
	p->off += (i64)bc_offset(l->m, t, k);
}

/* A variable first index moves over elements of unknown number; if they are
 * arrays themselves, their type must not be taken for the extent. */
static TypeId
pointee(Lower *l, BcType *t)
{
	TypeId id = type_of(l, t);

	return id && l->ir->types.at[id].kind != TYPE_ARRAY ? id : 0;
}

static bool
known_index(BcValue *idx, i64 *k)
{
	if (!bc_is_int(idx) || idx->type->bits > 64)
		return false;
	*k = idx->num;
	return true;
}

/* Vectors of addresses: any element of the base, anywhere in its object. */
static Val
gep_vector(Lower *l, BcValue *gep)
{
	Val base = value_of(l, bc_operand(gep, 0));
	Val any = emit_as(l, OP_NONDET, RT_INT, (u16)(l->ir->ptr_bytes * 8), 0, NULL);
	Val r = emit(l, OP_INDEX, gep->type, 2, (Val[]){base, any});

	l->ir->ins.at[l->ir->ins.n - 1].imm = 1;
	return r;
}

Val
memory_gep(Lower *l, BcValue *gep)
{
	BcType *t = gep->of;
	u32 n = (u32)gep->nop;
	Path p = {0};
	i64 k;

	if (gep->type->kind != LLVMPointerTypeKind)
		return gep_vector(l, gep);
	p.at = value_of(l, bc_operand(gep, 0));
	for (u32 i = 1; i < n; i++) {
		BcValue *idx = bc_operand(gep, i);
		bool known = known_index(idx, &k);
		BcType *outer = t;
		if (i > 1 && !(t = value_part(l, outer, idx)))
			return p.at;
		if (i > 1 && outer->kind == LLVMStructTypeKind)
			step_struct(l, &p, outer, (u32)k);
		else if (known)
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

/* Bits that an access of type t touches; 0 if it is too wide for one. */
static u16
access_width(Lower *l, BcType *t)
{
	u64 bits = bc_store_size(l->m, t) * 8;

	return bits > UINT16_MAX ? 0 : (u16)bits;
}

static Ins *
access(Lower *l, BcValue *ins, Op op, u32 narg, const Val *args, BcType *t)
{
	Ins *i = build_ins(&l->b, op, narg, args);

	i->width = access_width(l, t);
	i->order = ins->order;
	i->flags = ins->flags & BC_VOLATILE ? INS_VOLATILE : 0;
	return i;
}

static Val
byte_count(Lower *l, BcType *t)
{
	return ir_const_int(l->ir, (u16)(l->ir->ptr_bytes * 8), (i64)bc_store_size(l->m, t));
}

static void
lower_load(Lower *l, BcValue *ins)
{
	BcType *t = ins->type;
	Val p = value_of(l, bc_operand(ins, 0));
	Ins *i;

	if (!bc_store_size(l->m, t)) {
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
lower_store(Lower *l, BcValue *ins)
{
	BcValue *from = bc_operand(ins, 0);
	BcType *t = from->type;
	Val v = value_of(l, from);
	Val p = value_of(l, bc_operand(ins, 1));

	if (!bc_store_size(l->m, t))
		return;
	if (access_width(l, t)) {
		access(l, ins, OP_STORE, 2, (Val[]){p, v}, t);
	} else {
		access(l, ins, OP_WRITEN, 2, (Val[]){p, byte_count(l, t)}, t);
		lower_assume(l, "pointers in a very wide stored value are not followed");
	}
}

static BinOp
rmw_op(u8 op)
{
	static const u8 map[] = {BIN_XCHG, BIN_ADD, BIN_SUB, BIN_AND,  BIN_NAND, BIN_OR,
				 BIN_XOR,  BIN_MAX, BIN_MIN, BIN_UMAX, BIN_UMIN};

	return op < COUNT(map) ? (BinOp)map[op] : BIN_FLOAT;
}

static void
lower_rmw(Lower *l, BcValue *ins)
{
	Val p = value_of(l, bc_operand(ins, 0));
	Val v = value_of(l, bc_operand(ins, 1));
	Ins *i = access(l, ins, OP_RMW, 2, (Val[]){p, v}, ins->type);

	i->sub = (u8)rmw_op(ins->sub);
	value_define(l, ins, i);
}

static u8
fails_as(u8 order, u8 failure)
{
	if (order_acquires(order) == order_acquires(failure))
		return FAIL_SAME;
	return order_acquires(failure) ? FAIL_ACQUIRE : FAIL_RELAXED;
}

/* The pair that LLVM gives back is kept as its two elements. */
static void
lower_cas(Lower *l, BcValue *ins)
{
	Val p = value_of(l, bc_operand(ins, 0));
	Val expected = value_of(l, bc_operand(ins, 1));
	Val desired = value_of(l, bc_operand(ins, 2));
	BcType *t = bc_operand(ins, 1)->type;
	Val old = emit(l, OP_CAS, t, 3, (Val[]){p, expected, desired});
	Ins *i = &l->ir->ins.at[l->ir->ins.n - 1];
	Val same, lucky;
	u16 width = i->width;

	i->width = access_width(l, t);
	i->order = ins->order;
	i->sub = fails_as(ins->order, ins->sub);
	i->flags = ins->flags & BC_VOLATILE ? INS_VOLATILE : 0;
	same = emit_as(l, OP_CMP, RT_INT, 1, 2, (Val[]){old, expected});
	l->ir->ins.at[l->ir->ins.n - 1].sub = CMP_EQ;
	l->ir->ins.at[l->ir->ins.n - 1].imm = width;
	if (ins->flags & BC_WEAK) { /* may fail by itself */
		lucky = emit_as(l, OP_NONDET, RT_INT, 1, 0, NULL);
		same = emit_as(l, OP_BIN, RT_INT, 1, 2, (Val[]){same, lucky});
		l->ir->ins.at[l->ir->ins.n - 1].sub = BIN_AND;
	}
	value_set(l, ins, old);
	ins->second = same;
}

static void
lower_fence(Lower *l, BcValue *ins)
{
	if (ins->order != ORDER_PLAIN)
		build_ins(&l->b, OP_FENCE, 0, NULL)->order = ins->order;
}

/* ---- stack objects ------------------------------------------------------ */

static Val
alloca_size(Lower *l, BcValue *ins, u64 unit)
{
	BcValue *count = bc_operand(ins, 0);
	u16 bits = (u16)(l->ir->ptr_bytes * 8);
	Val n;

	if (bc_is_int(count))
		return ir_const_int(l->ir, bits, (i64)(unit * bc_unsigned(count)));
	n = value_of(l, count);
	if (unit == 1)
		return n;
	n = emit_as(l, OP_BIN, RT_INT, bits, 2, (Val[]){n, ir_const_int(l->ir, bits, (i64)unit)});
	l->ir->ins.at[l->ir->ins.n - 1].sub = BIN_MUL;
	return n;
}

/* The declared type, if it has the object's size, else LLVM's. */
static TypeId
alloca_type(Lower *l, BcValue *ins, BcMeta *var, u64 size)
{
	TypeId id = var ? debug_variable_type(l, var) : 0;

	if (!bc_is_int(bc_operand(ins, 0)))
		return 0;
	if (id && l->ir->types.at[id].size == size)
		return id;
	return type_of(l, ins->of);
}

static void
lower_alloca(Lower *l, BcValue *ins)
{
	BcValue *declare = ins->declare;
	u64 unit = type_size(l, ins->of);
	Val size = alloca_size(l, ins, unit);
	SrcId src = declare ? debug_src(l, declare) : 0;
	BcMeta *var = declare ? declare->var : NULL;
	TypeId type = alloca_type(l, ins, var, unit);
	Ins *i = build_ins(&l->b, OP_ALLOC, 1, &size);

	i->sub = ALLOC_STACK;
	i->aux = type;
	if (src)
		i->src = src;
	value_define(l, ins, i);
}

static void
lower_va_arg(Lower *l, BcValue *ins)
{
	Val list = value_of(l, bc_operand(ins, 0));
	Val at = emit_as(l, OP_LOAD, RT_PTR, (u16)(l->ir->ptr_bytes * 8), 1, &list);
	Ins *i = build_ins(&l->b, OP_LOAD, 1, &at);

	i->width = access_width(l, ins->type);
	value_define(l, ins, i);
}

void
memory_lower(Lower *l, BcValue *ins, u8 op)
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
