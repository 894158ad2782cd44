/* intrinsic.c - what LLVM's intrinsic functions mean in the IR.
 *
 * One table gives each intrinsic that clang emits for C its handler.  One
 * that is not listed is a value without pointers if LLVM says that it touches
 * no memory, and otherwise an unknown function with an assumption.
 *
 * Varargs: va_start gets any of the arguments behind the named ones (a nondet
 * of its own kind).  A stack object holds it everywhere, and the va_list points
 * anywhere into that; clang's own code then loads from there and moves on. */
#include "llvm/llvm_int.h"

#include <string.h>

static BcType *
result_type(BcValue *call)
{
	return call->type;
}

static Val
arg(Lower *l, BcValue *call, u32 k)
{
	return value_of(l, bc_operand(call, k));
}

static Ins *
last(Lower *l)
{
	return &l->ir->ins.at[l->ir->ins.n - 1];
}

/* The type of a vector's elements. */
static BcType *
element(Lower *l, BcType *t)
{
	if (t->kind == LLVMVectorTypeKind || t->kind == LLVMScalableVectorTypeKind)
		return t->part[0];
	l->m->bad = true;
	return l->m->int1;
}

static u16
ptr_bits(const Lower *l)
{
	return (u16)(l->ir->ptr_bytes * 8);
}

/* ---- values ------------------------------------------------------------- */

static void
drop(Lower *l, BcValue *call, u8 sub)
{
	(void)sub;
	if (result_type(call)->kind != LLVMVoidTypeKind)
		value_set(l, call, ir_const_undef(l->ir));
}

static void
take_first(Lower *l, BcValue *call, u8 sub)
{
	(void)sub;
	value_set(l, call, arg(l, call, 0));
}

static void
any_value(Lower *l, BcValue *call, u8 sub)
{
	(void)sub;
	if (result_type(call)->kind != LLVMVoidTypeKind)
		value_set(l, call, emit(l, OP_NONDET, result_type(call), 0, NULL));
}

/* Of what clang has not found to be constant itself: code for both answers does the same. */
static void
zero(Lower *l, BcValue *call, u8 sub)
{
	(void)sub;
	value_set(l, call, ir_const_int(l->ir, 1, 0));
}

static void
assume(Lower *l, BcValue *call, u8 sub)
{
	Val v = arg(l, call, 0);

	(void)sub;
	build_ins(&l->b, OP_ASSUME, 1, &v);
}

static bool
is_scalar(BcType *t)
{
	LLVMTypeKind k = t->kind;

	return k == LLVMIntegerTypeKind || k == LLVMPointerTypeKind;
}

static void
binary(Lower *l, BcValue *call, u8 sub)
{
	Val x, y, r;

	if (!is_scalar(result_type(call))) {
		any_value(l, call, 0);
		return;
	}
	x = arg(l, call, 0);
	y = arg(l, call, 1);
	r = emit(l, OP_BIN, result_type(call), 2, (Val[]){x, y});
	last(l)->sub = sub;
	value_set(l, call, r);
}

/* The result, and whether it overflowed, which may be either. */
static void
overflow(Lower *l, BcValue *call, u8 sub)
{
	BcType *t = bc_operand(call, 0)->type;
	Val x = arg(l, call, 0), y = arg(l, call, 1), r;

	if (!is_scalar(t)) {
		any_value(l, call, 0);
		return;
	}
	r = emit(l, OP_BIN, t, 2, (Val[]){x, y});
	last(l)->sub = sub;
	value_set(l, call, r);
	r = emit_as(l, OP_NONDET, RT_INT, 1, 0, NULL);
	call->second = r;
}

/* ---- memory ------------------------------------------------------------- */

enum { ATOMIC_ELEMENTS = 1 };

static void
mark(Lower *l, BcValue *call, u8 sub)
{
	Ins *i = last(l);
	BcValue *is_volatile = bc_operand(call, 3);

	if (sub == ATOMIC_ELEMENTS)
		i->order = ORDER_RELAXED;
	else if (bc_is_int(is_volatile) && bc_unsigned(is_volatile))
		i->flags = INS_VOLATILE;
}

static void
copy_bytes(Lower *l, BcValue *call, u8 sub)
{
	Val to = arg(l, call, 0), from = arg(l, call, 1), n = arg(l, call, 2);

	build_ins(&l->b, OP_BCOPY, 3, (Val[]){to, from, n});
	mark(l, call, sub);
}

static void
set_bytes(Lower *l, BcValue *call, u8 sub)
{
	Val to = arg(l, call, 0), n = arg(l, call, 2);

	build_ins(&l->b, OP_WRITEN, 2, (Val[]){to, n});
	mark(l, call, sub);
}

/* ---- parts of vectors ---------------------------------------------------- */

/* Some element at or behind what operand k points to, or in front of it: which ones a mask or a vector of
 * indices chooses, if any, is not known, so that such an access is never certain. */
static Val
some_element(Lower *l, BcValue *call, u32 k, u64 bytes)
{
	Val any = emit_as(l, OP_NONDET, RT_INT, ptr_bits(l), 0, NULL), p = arg(l, call, k), at;

	if (bc_operand(call, k)->type->kind != LLVMPointerTypeKind)
		p = emit_as(l, OP_COPY, RT_PTR, ptr_bits(l), 1, &p);
	at = emit_as(l, OP_INDEX, RT_PTR, ptr_bits(l), 2, (Val[]){p, any});

	last(l)->imm = (i64)bytes;
	return at;
}

/* Reads an element that lies a multiple of `bytes` from operand k; pointers may come with it.
 * What is not chosen comes from an operand: the first, where that is no address, or the last
 * behind the mask. */
static void
load_element(Lower *l, BcValue *call, u32 k, u64 bytes)
{
	u32 n = call->nop - 1;
	Val p = some_element(l, call, k, bytes);
	Val v = emit(l, OP_LOAD, element(l, result_type(call)), 1, &p);
	Val other = k ? arg(l, call, 0) : n > 2 ? arg(l, call, n - 1) : ir_const_undef(l->ir);

	value_set(
	    l, call,
	    emit(l, OP_SELECT, result_type(call), 3, (Val[]){ir_const_undef(l->ir), v, other}));
}

static void
load_elements(Lower *l, BcValue *call, u8 k)
{
	load_element(l, call, k, bc_store_size(l->m, element(l, result_type(call))));
}

/* The same where the elements may lie at any distance. */
static void
gather_elements(Lower *l, BcValue *call, u8 k)
{
	load_element(l, call, k, 1);
}

enum { STORE_FIRST, STORE_LAST }; /* which operand is stored: masks lie between */

static void
store_elements(Lower *l, BcValue *call, u8 which)
{
	u32 from = which == STORE_FIRST ? 0 : 2, to = which == STORE_FIRST ? 1 : 0;
	BcType *of = element(l, bc_operand(call, from)->type);
	Val whole = arg(l, call, from), v = emit(l, OP_COPY, of, 1, &whole);
	Val p = some_element(l, call, to, bc_store_size(l->m, of));

	build_ins(&l->b, OP_STORE, 2, (Val[]){p, v});
	last(l)->width = (u16)(8 * bc_store_size(l->m, of));
}

/* ---- variable arguments ------------------------------------------------- */

/* Where in a va_list the target keeps pointers to the arguments. */
typedef struct VaLayout {
	u32 size, n;
	i64 off[3];
} VaLayout;

static VaLayout
va_layout(const Lower *l)
{
	const char *triple = l->m->triple;

	if (!strncmp(triple, "x86_64", 6) && l->ir->ptr_bytes == 8)
		return (VaLayout){24, 2, {8, 16}};
	if (!strncmp(triple, "aarch64", 7))
		return (VaLayout){32, 3, {0, 8, 16}};
	return (VaLayout){l->ir->ptr_bytes, 1, {0}};
}

static void
store_pointer(Lower *l, Val to, Val v)
{
	build_ins(&l->b, OP_STORE, 2, (Val[]){to, v});
	last(l)->width = ptr_bits(l);
}

static void
start_args(Lower *l, BcValue *call, u8 sub)
{
	VaLayout lay = va_layout(l);
	Val list = arg(l, call, 0);
	Val area = emit_as(l, OP_ALLOC, RT_PTR, ptr_bits(l), 0, NULL), any;

	(void)sub;
	last(l)->sub = ALLOC_STACK;
	any = emit_as(l, OP_NONDET, RT_INT, ptr_bits(l), 0, NULL);
	area = emit_as(l, OP_INDEX, RT_PTR, ptr_bits(l), 2, (Val[]){area, any});
	last(l)->imm = 1;
	any = emit_as(l, OP_NONDET, RT_PTR, ptr_bits(l), 0, NULL);
	last(l)->sub = 1;
	store_pointer(l, area, any);
	lower_assume(l, "variable arguments are not told apart");
	build_ins(&l->b, OP_WRITEN, 2, (Val[]){list, ir_const_int(l->ir, ptr_bits(l), lay.size)});
	for (u32 i = 0; i < lay.n; i++)
		store_pointer(l, memory_at(l, list, lay.off[i]), area);
}

static void
copy_args(Lower *l, BcValue *call, u8 sub)
{
	Val n = ir_const_int(l->ir, ptr_bits(l), va_layout(l).size);
	Val to = arg(l, call, 0), from = arg(l, call, 1);

	(void)sub;
	build_ins(&l->b, OP_BCOPY, 3, (Val[]){to, from, n});
}

/* ---- the table ---------------------------------------------------------- */

typedef struct Row {
	const char *name;
	void (*lower)(Lower *l, BcValue *call, u8 sub);
	u8 sub;
} Row;

/* How many arguments the handler looks at. */
static u32
looked_at(const Row *row)
{
	static const struct {
		void (*lower)(Lower *l, BcValue *call, u8 sub);
		u32 n;
	} table[] = {{take_first, 1},     {assume, 1},     {binary, 2},        {overflow, 2},
		     {copy_bytes, 4},     {set_bytes, 4},  {load_elements, 1}, {gather_elements, 2},
		     {store_elements, 3}, {start_args, 1}, {copy_args, 2}};

	for (u32 i = 0; i < COUNT(table); i++)
		if (table[i].lower == row->lower)
			return table[i].n;
	return 0;
}

static const Row rows[] = {
    {"llvm.memcpy", copy_bytes, 0},
    {"llvm.memcpy.inline", copy_bytes, 0},
    {"llvm.memmove", copy_bytes, 0},
    {"llvm.memcpy.element.unordered.atomic", copy_bytes, ATOMIC_ELEMENTS},
    {"llvm.memmove.element.unordered.atomic", copy_bytes, ATOMIC_ELEMENTS},
    {"llvm.memset", set_bytes, 0},
    {"llvm.memset.inline", set_bytes, 0},
    {"llvm.memset.element.unordered.atomic", set_bytes, ATOMIC_ELEMENTS},
    {"llvm.lifetime.start", drop, 0},
    {"llvm.lifetime.end", drop, 0},
    {"llvm.invariant.start", drop, 0},
    {"llvm.invariant.end", drop, 0},
    {"llvm.experimental.noalias.scope.decl", drop, 0},
    {"llvm.donothing", drop, 0},
    {"llvm.sideeffect", drop, 0},
    {"llvm.pseudoprobe", drop, 0},
    {"llvm.prefetch", drop, 0},
    {"llvm.var.annotation", drop, 0},
    {"llvm.codeview.annotation", drop, 0},
    {"llvm.fake.use", drop, 0},
    {"llvm.debugtrap", drop, 0},
    {"llvm.stackrestore", drop, 0},
    {"llvm.va_end", drop, 0},
    {"llvm.va_start", start_args, 0},
    {"llvm.va_copy", copy_args, 0},
    {"llvm.stacksave", any_value, 0},
    {"llvm.returnaddress", any_value, 0},
    {"llvm.addressofreturnaddress", any_value, 0},
    {"llvm.frameaddress", any_value, 0},
    {"llvm.readcyclecounter", any_value, 0},
    {"llvm.readsteadycounter", any_value, 0},
    {"llvm.get.rounding", any_value, 0},
    {"llvm.set.rounding", drop, 0},
    {"llvm.is.constant", zero, 0},
    {"llvm.assume", assume, 0},
    {"llvm.expect", take_first, 0},
    {"llvm.expect.with.probability", take_first, 0},
    {"llvm.annotation", take_first, 0},
    {"llvm.ptr.annotation", take_first, 0},
    {"llvm.launder.invariant.group", take_first, 0},
    {"llvm.strip.invariant.group", take_first, 0},
    {"llvm.threadlocal.address", take_first, 0},
    {"llvm.ssa.copy", take_first, 0},
    {"llvm.arithmetic.fence", take_first, 0},
    {"llvm.ptrmask", binary, BIN_AND},
    {"llvm.smax", binary, BIN_MAX},
    {"llvm.smin", binary, BIN_MIN},
    {"llvm.umax", binary, BIN_UMAX},
    {"llvm.umin", binary, BIN_UMIN},
    {"llvm.sadd.with.overflow", overflow, BIN_ADD},
    {"llvm.uadd.with.overflow", overflow, BIN_ADD},
    {"llvm.ssub.with.overflow", overflow, BIN_SUB},
    {"llvm.usub.with.overflow", overflow, BIN_SUB},
    {"llvm.smul.with.overflow", overflow, BIN_MUL},
    {"llvm.umul.with.overflow", overflow, BIN_MUL},
    {"llvm.masked.load", load_elements, 0},
    {"llvm.masked.expandload", load_elements, 0},
    {"llvm.masked.gather", gather_elements, 0},
    {"llvm.masked.store", store_elements, STORE_FIRST},
    {"llvm.masked.compressstore", store_elements, STORE_FIRST},
    {"llvm.masked.scatter", store_elements, STORE_FIRST},
    {"llvm.x86.avx.maskload.pd", load_elements, 0},
    {"llvm.x86.avx.maskstore.pd", store_elements, STORE_LAST},
    {"llvm.x86.avx.maskload.ps", load_elements, 0},
    {"llvm.x86.avx.maskstore.ps", store_elements, STORE_LAST},
    {"llvm.x86.avx.maskload.pd.256", load_elements, 0},
    {"llvm.x86.avx.maskstore.pd.256", store_elements, STORE_LAST},
    {"llvm.x86.avx.maskload.ps.256", load_elements, 0},
    {"llvm.x86.avx.maskstore.ps.256", store_elements, STORE_LAST},
    {"llvm.x86.avx2.maskload.d", load_elements, 0},
    {"llvm.x86.avx2.maskstore.d", store_elements, STORE_LAST},
    {"llvm.x86.avx2.maskload.q", load_elements, 0},
    {"llvm.x86.avx2.maskstore.q", store_elements, STORE_LAST},
    {"llvm.x86.avx2.maskload.d.256", load_elements, 0},
    {"llvm.x86.avx2.maskstore.d.256", store_elements, STORE_LAST},
    {"llvm.x86.avx2.maskload.q.256", load_elements, 0},
    {"llvm.x86.avx2.maskstore.q.256", store_elements, STORE_LAST},
    {"llvm.x86.sse3.ldu.dq", load_elements, 0},
    {"llvm.x86.avx.ldu.dq.256", load_elements, 0},
    {"llvm.x86.avx2.gather.d.pd", gather_elements, 1},
    {"llvm.x86.avx2.gather.d.pd.256", gather_elements, 1},
    {"llvm.x86.avx2.gather.d.ps", gather_elements, 1},
    {"llvm.x86.avx2.gather.d.ps.256", gather_elements, 1},
    {"llvm.x86.avx2.gather.d.d", gather_elements, 1},
    {"llvm.x86.avx2.gather.d.d.256", gather_elements, 1},
    {"llvm.x86.avx2.gather.d.q", gather_elements, 1},
    {"llvm.x86.avx2.gather.d.q.256", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.pd", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.pd.256", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.ps", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.ps.256", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.d", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.d.256", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.q", gather_elements, 1},
    {"llvm.x86.avx2.gather.q.q.256", gather_elements, 1},
};

enum { NO_ROW = COUNT(rows) };

/* The longest name of a row with which that of the function begins; types that it works on follow. */
static u32
search(const BcGlobal *f)
{
	u32 best = NO_ROW;
	size_t longest = 0;

	for (u32 i = 0; i < COUNT(rows); i++) {
		size_t n = strlen(rows[i].name);
		if (n > longest && n <= f->nname && !memcmp(rows[i].name, f->name, n) &&
		    (n == f->nname || f->name[n] == '.')) {
			longest = n;
			best = i;
		}
	}
	return best;
}

static u32
find_row(BcGlobal *f)
{
	if (!f->intrinsic)
		f->intrinsic = search(f) + 1;
	return f->intrinsic - 1;
}

static bool
may_be_pointer(BcType *t)
{
	LLVMTypeKind k = t->kind;

	return k == LLVMPointerTypeKind || k == LLVMStructTypeKind || k == LLVMArrayTypeKind ||
	       (k == LLVMVectorTypeKind && may_be_pointer(t->part[0]));
}

void
intrinsic_lower(Lower *l, BcValue *call, BcValue *callee)
{
	BcGlobal *f = bc_global(callee);
	u32 row = find_row(f);
	const char *name;

	if (row != NO_ROW && call->nop > looked_at(&rows[row])) {
		rows[row].lower(l, call, rows[row].sub);
		return;
	}
	l->m->bad |= row != NO_ROW;
	if (bc_fn_attrs(l->m, callee)->pure && !may_be_pointer(result_type(call))) {
		any_value(l, call, 0);
		return;
	}
	name = arena_dup(&l->scratch, f->name, f->nname);
	lower_assume(l, arena_printf(&l->scratch, "unknown intrinsic %s", name));
	call_extern(l, call, name);
}

bool
intrinsic_traps(const BcGlobal *f)
{
	static const char *const names[] = {"llvm.trap", "llvm.ubsantrap"};

	for (u32 i = 0; i < COUNT(names); i++)
		if (f->nname == strlen(names[i]) && !memcmp(f->name, names[i], f->nname))
			return true;
	return false;
}

bool
intrinsic_is_trap(const BcValue *ins)
{
	BcValue *callee = ins->op == LLVMCall ? bc_callee(ins) : NULL;

	return callee && bc_is_fn(callee) && intrinsic_traps(bc_global(callee));
}
