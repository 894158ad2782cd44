/* value.c - operands: registers, constants, constant expressions.
 *
 * An address with a known offset from a global is a constant of the IR.
 * Another constant expression becomes instructions at the place of its use.
 * A constant aggregate holds pointers, or is opaque.  LLVM's constants are
 * trees, so the recursion ends. */
#include "llvm/llvm_int.h"

/* A global plus a known number of bytes, or a plain number (no base). */
typedef struct Folded {
	GlobalId global;
	FnId fn;
	i64 off;
} Folded;

void
value_set(Lower *l, BcValue *v, Val r)
{
	(void)l;
	v->val = r;
}

Val
value_define(Lower *l, BcValue *v, Ins *i)
{
	u16 width;
	InsId at = (InsId)(i - l->ir->ins.at);
	RegType rt = type_reg(l, v->type, &width);
	Val r = build_reg(&l->b, rt, width);

	i = &l->ir->ins.at[at];
	i->dst = r;
	i->rt = (u8)rt;
	if (!i->width)
		i->width = width;
	value_set(l, v, r);
	return r;
}

BcType *
value_part(Lower *l, BcType *t, const BcValue *idx)
{
	bool is_struct = t->kind == LLVMStructTypeKind;
	u64 k = is_struct ? UINT64_MAX : 0;

	if (is_struct && bc_is_int(idx) && idx->type->bits <= 64)
		k = bc_unsigned(idx);
	if (k < t->n && t->kind != LLVMFunctionTypeKind)
		return t->part[k];
	l->m->bad = true;
	return NULL;
}

/* ---- folding ------------------------------------------------------------ */

static bool fold(Lower *l, BcValue *v, Folded *out);

static bool
fold_gep(Lower *l, BcValue *v, Folded *out)
{
	BcType *t = v->of;
	u32 n = v->nop;

	if (v->type->kind != LLVMPointerTypeKind || !fold(l, bc_operand(v, 0), out))
		return false;
	for (u32 i = 1; i < n; i++) {
		BcValue *idx = bc_operand(v, i);
		i64 k;
		if (!bc_is_int(idx) || idx->type->bits > 64)
			return false;
		k = idx->num;
		if (i > 1) {
			BcType *outer = t;
			if (!(t = value_part(l, outer, idx)))
				return false;
			if (outer->kind == LLVMStructTypeKind) {
				out->off += (i64)bc_offset(l->m, outer, (u32)k);
				continue;
			}
		}
		out->off = (i64)((u64)out->off + (u64)k * type_size(l, t));
	}
	return true;
}

static bool
fold_sum(Lower *l, BcValue *v, bool minus, Folded *out)
{
	Folded x, y;

	if (!fold(l, bc_operand(v, 0), &x) || !fold(l, bc_operand(v, 1), &y))
		return false;
	if ((y.global || y.fn) && (minus || x.global || x.fn))
		return false;
	out->global = x.global | y.global;
	out->fn = x.fn | y.fn;
	out->off = (i64)(minus ? (u64)x.off - (u64)y.off : (u64)x.off + (u64)y.off);
	return true;
}

static bool
fold_expr(Lower *l, BcValue *v, Folded *out)
{
	u16 width;

	switch (v->op) {
	case LLVMGetElementPtr: return fold_gep(l, v, out);
	case LLVMPtrToInt:
		type_reg(l, v->type, &width);
		return width >= l->ir->ptr_bytes * 8 && fold(l, bc_operand(v, 0), out);
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast: return fold(l, bc_operand(v, 0), out);
	case LLVMAdd: return fold_sum(l, v, false, out);
	case LLVMSub: return fold_sum(l, v, true, out);
	default: return false;
	}
}

/* Another definition may take the place of a weak alias; any other stands for
 * what it names, offset and all. */
static bool
is_replaceable(BcValue *alias)
{
	LLVMLinkage k = bc_global(alias)->linkage;

	return k != LLVMExternalLinkage && k != LLVMInternalLinkage && k != LLVMPrivateLinkage;
}

static bool
is_variable(const BcValue *v)
{
	return v->of->kind != LLVMFunctionTypeKind;
}

static bool
fold(Lower *l, BcValue *v, Folded *out)
{
	*out = (Folded){0};
	switch (v->kind) {
	case LLVMConstantIntValueKind:
		if (v->type->bits > 64)
			return false;
		out->off = v->num;
		return true;
	case LLVMConstantPointerNullValueKind: return true;
	case LLVMGlobalAliasValueKind:
		if (!is_replaceable(v))
			return fold(l, bc_aliasee(l->m, v), out);
		/* fall through */
	case LLVMFunctionValueKind:
	case LLVMGlobalIFuncValueKind:
	case LLVMGlobalVariableValueKind:
		if (bc_global(v)->bound)
			return false;
		out->global = is_variable(v) ? bc_global(v)->id : 0;
		out->fn = is_variable(v) ? 0 : bc_global(v)->id;
		return out->global || out->fn;
	case LLVMConstantExprValueKind: return fold_expr(l, v, out);
	default: return false;
	}
}

static Val
folded(Lower *l, BcValue *v, const Folded *f)
{
	u16 width;

	if (f->global)
		return ir_const_global(l->ir, f->global, f->off);
	if (f->fn && !f->off)
		return ir_const_fn(l->ir, f->fn);
	if (f->fn) /* into a function's code: no data there */
		return ir_const_opaque(l->ir);
	if (type_reg(l, v->type, &width) == RT_PTR && !f->off)
		return ir_const_null(l->ir);
	return ir_const_int(l->ir, width, f->off);
}

/* ---- constants ---------------------------------------------------------- */

/* May pointers be in v? */
static bool
holds_pointer(Lower *l, BcValue *v)
{
	Folded f;

	switch (v->kind) {
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantVectorValueKind:
		for (u32 i = 0; i < v->nop; i++)
			if (holds_pointer(l, bc_operand(v, i)))
				return true;
		return false;
	case LLVMConstantExprValueKind: return !fold(l, v, &f) || f.global || f.fn;
	case LLVMGlobalVariableValueKind: return true;
	default: return fold(l, v, &f) && (f.global || f.fn);
	}
}

Val
value_const(Lower *l, BcValue *v)
{
	Folded f;

	if (fold(l, v, &f))
		return folded(l, v, &f);
	switch (v->kind) {
	case LLVMUndefValueValueKind:
	case LLVMPoisonValueValueKind:
	case LLVMConstantTokenNoneValueKind:
	case LLVMMetadataAsValueValueKind:
	case LLVMInlineAsmValueKind: return ir_const_undef(l->ir);
	case LLVMGlobalVariableValueKind: /* at the bound of a section */
	case LLVMConstantExprValueKind: return 0;
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantVectorValueKind: return holds_pointer(l, v) ? 0 : ir_const_opaque(l->ir);
	default: /* floats, wide integers, zeros, strings, labels */ return ir_const_opaque(l->ir);
	}
}

/* A choice between the elements: any of the pointers in v. */
static Val
any_element(Lower *l, BcValue *v)
{
	Val all = 0;

	for (u32 i = 0; i < v->nop; i++) {
		BcValue *e = bc_operand(v, i);
		Val x;
		if (!holds_pointer(l, e))
			continue;
		x = value_of(l, e);
		all = all ? emit(l, OP_SELECT, v->type, 3, (Val[]){ir_const_undef(l->ir), all, x})
			  : x;
	}
	return all ? all : ir_const_opaque(l->ir);
}

Val
value_of(Lower *l, BcValue *v)
{
	LLVMValueKind kind = v->kind;
	Val r;

	if (kind == LLVMInstructionValueKind || kind == LLVMArgumentValueKind) {
		return v->val ? v->val : ir_const_undef(l->ir);
	}
	if ((r = value_const(l, v)))
		return r;
	if (kind == LLVMGlobalVariableValueKind) {
		r = ir_const_fn(l->ir, bc_global(v)->bound);
		return emit(l, OP_CALL, v->type, 1, &r);
	}
	if (kind != LLVMConstantExprValueKind)
		return any_element(l, v);
	r = ins_compute(l, v, v->op);
	return r ? r : ir_const_opaque(l->ir);
}

/* ---- initial contents --------------------------------------------------- */

static void
init_scalar(Lower *l, BcValue *v, u64 off, bool ints)
{
	Val c = value_const(l, v);
	u8 kind;

	if (!c) {
		lower_assume(l, "a constant expression in an initialiser is not represented");
		if (ints)
			vec_push(l->ir->arena, &l->ir->inits, (Init){off, ir_const_opaque(l->ir)});
		return;
	}
	kind = ir_const(l->ir, c)->kind;
	if (kind == CONST_GLOBAL || kind == CONST_FN ||
	    (kind == CONST_INT && ints && ir_const(l->ir, c)->num))
		vec_push(l->ir->arena, &l->ir->inits, (Init){off, c});
}

static void
init_elements(Lower *l, BcValue *v, u64 off, bool ints)
{
	u64 stride = type_size(l, v->type->part[0]);

	for (u32 i = 0; i < v->nop; i++)
		value_init(l, v->ops[i], off + i * stride, ints);
}

static void
init_numbers(Lower *l, BcValue *v, u64 off, bool ints)
{
	u64 stride = type_size(l, v->type->part[0]);

	for (u32 i = 0; ints && i < v->type->count; i++)
		init_scalar(l, bc_element(l->m, v, i), off + i * stride, ints);
}

void
value_init(Lower *l, BcValue *v, u64 off, bool ints)
{
	BcType *t = v->type;

	switch (v->kind) {
	case LLVMConstantStructValueKind:
		for (u32 i = 0; i < v->nop; i++)
			value_init(l, bc_operand(v, i), off + bc_offset(l->m, t, i), ints);
		return;
	case LLVMConstantArrayValueKind:
	case LLVMConstantVectorValueKind: init_elements(l, v, off, ints); return;
	case LLVMConstantDataArrayValueKind:
	case LLVMConstantDataVectorValueKind: init_numbers(l, v, off, ints); return;
	case LLVMConstantAggregateZeroValueKind:
	case LLVMUndefValueValueKind:
	case LLVMPoisonValueValueKind: return;
	default: init_scalar(l, v, off, ints);
	}
}
