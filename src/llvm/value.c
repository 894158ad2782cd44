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
value_set(Lower *l, LLVMValueRef v, Val r)
{
	map_put(&l->scratch, &l->vals, KEY(v), r);
}

Val
value_define(Lower *l, LLVMValueRef v, Ins *i)
{
	u16 width;
	InsId at = (InsId)(i - l->ir->ins.at);
	RegType rt = type_reg(l, LLVMTypeOf(v), &width);
	Val r = build_reg(&l->b, rt, width);

	i = &l->ir->ins.at[at];
	i->dst = r;
	i->rt = (u8)rt;
	if (!i->width)
		i->width = width;
	value_set(l, v, r);
	return r;
}

/* ---- folding ------------------------------------------------------------ */

static bool fold(Lower *l, LLVMValueRef v, Folded *out);

static bool
fold_gep(Lower *l, LLVMValueRef v, Folded *out)
{
	LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
	u32 n = (u32)LLVMGetNumOperands(v);

	if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMPointerTypeKind ||
	    !fold(l, LLVMGetOperand(v, 0), out))
		return false;
	for (u32 i = 1; i < n; i++) {
		LLVMValueRef idx = LLVMGetOperand(v, i);
		i64 k;
		if (!LLVMIsAConstantInt(idx) || LLVMGetIntTypeWidth(LLVMTypeOf(idx)) > 64)
			return false;
		k = LLVMConstIntGetSExtValue(idx);
		if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
			out->off += (i64)LLVMOffsetOfElement(l->layout, t, (u32)k);
			t = LLVMStructGetTypeAtIndex(t, (u32)k);
			continue;
		}
		if (i > 1)
			t = LLVMGetElementType(t);
		out->off = (i64)((u64)out->off + (u64)k * type_size(l, t));
	}
	return true;
}

static bool
fold_sum(Lower *l, LLVMValueRef v, bool minus, Folded *out)
{
	Folded x, y;

	if (!fold(l, LLVMGetOperand(v, 0), &x) || !fold(l, LLVMGetOperand(v, 1), &y))
		return false;
	if ((y.global || y.fn) && (minus || x.global || x.fn))
		return false;
	out->global = x.global | y.global;
	out->fn = x.fn | y.fn;
	out->off = (i64)(minus ? (u64)x.off - (u64)y.off : (u64)x.off + (u64)y.off);
	return true;
}

static bool
fold_expr(Lower *l, LLVMValueRef v, Folded *out)
{
	u16 width;

	switch (LLVMGetConstOpcode(v)) {
	case LLVMGetElementPtr: return fold_gep(l, v, out);
	case LLVMPtrToInt:
		type_reg(l, LLVMTypeOf(v), &width);
		return width >= l->ir->ptr_bytes * 8 && fold(l, LLVMGetOperand(v, 0), out);
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast: return fold(l, LLVMGetOperand(v, 0), out);
	case LLVMAdd: return fold_sum(l, v, false, out);
	case LLVMSub: return fold_sum(l, v, true, out);
	default: return false;
	}
}

/* Another definition may take the place of a weak alias; any other stands for
 * what it names, offset and all. */
static bool
is_replaceable(LLVMValueRef alias)
{
	LLVMLinkage k = LLVMGetLinkage(alias);

	return k != LLVMExternalLinkage && k != LLVMInternalLinkage && k != LLVMPrivateLinkage;
}

static bool
fold(Lower *l, LLVMValueRef v, Folded *out)
{
	*out = (Folded){0};
	switch (LLVMGetValueKind(v)) {
	case LLVMConstantIntValueKind:
		if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
			return false;
		out->off = LLVMConstIntGetSExtValue(v);
		return true;
	case LLVMConstantPointerNullValueKind: return true;
	case LLVMGlobalAliasValueKind:
		if (!is_replaceable(v))
			return fold(l, LLVMAliasGetAliasee(v), out);
		/* fall through */
	case LLVMFunctionValueKind:
	case LLVMGlobalIFuncValueKind:
	case LLVMGlobalVariableValueKind:
		if (map_get(&l->bounds, KEY(v)))
			return false;
		out->global = map_get(&l->globals, KEY(v));
		out->fn = map_get(&l->fns, KEY(v));
		return out->global || out->fn;
	case LLVMConstantExprValueKind: return fold_expr(l, v, out);
	default: return false;
	}
}

static Val
folded(Lower *l, LLVMValueRef v, const Folded *f)
{
	u16 width;

	if (f->global)
		return ir_const_global(l->ir, f->global, f->off);
	if (f->fn && !f->off)
		return ir_const_fn(l->ir, f->fn);
	if (f->fn) /* into a function's code: no data there */
		return ir_const_opaque(l->ir);
	if (type_reg(l, LLVMTypeOf(v), &width) == RT_PTR && !f->off)
		return ir_const_null(l->ir);
	return ir_const_int(l->ir, width, f->off);
}

/* ---- constants ---------------------------------------------------------- */

/* May pointers be in v? */
static bool
holds_pointer(Lower *l, LLVMValueRef v)
{
	Folded f;

	switch (LLVMGetValueKind(v)) {
	case LLVMConstantStructValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantVectorValueKind:
		for (u32 i = 0; i < (u32)LLVMGetNumOperands(v); i++)
			if (holds_pointer(l, LLVMGetOperand(v, i)))
				return true;
		return false;
	case LLVMConstantExprValueKind: return !fold(l, v, &f) || f.global || f.fn;
	case LLVMGlobalVariableValueKind: return true;
	default: return fold(l, v, &f) && (f.global || f.fn);
	}
}

Val
value_const(Lower *l, LLVMValueRef v)
{
	Folded f;

	if (fold(l, v, &f))
		return folded(l, v, &f);
	switch (LLVMGetValueKind(v)) {
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
any_element(Lower *l, LLVMValueRef v)
{
	Val all = 0;

	for (u32 i = 0; i < (u32)LLVMGetNumOperands(v); i++) {
		LLVMValueRef e = LLVMGetOperand(v, i);
		Val x;
		if (!holds_pointer(l, e))
			continue;
		x = value_of(l, e);
		all = all ? emit(l, OP_SELECT, LLVMTypeOf(v), 3,
				 (Val[]){ir_const_undef(l->ir), all, x})
			  : x;
	}
	return all ? all : ir_const_opaque(l->ir);
}

Val
value_of(Lower *l, LLVMValueRef v)
{
	LLVMValueKind kind = LLVMGetValueKind(v);
	Val r;

	if (kind == LLVMInstructionValueKind || kind == LLVMArgumentValueKind) {
		r = map_get(&l->vals, KEY(v));
		return r ? r : ir_const_undef(l->ir);
	}
	if ((r = value_const(l, v)))
		return r;
	if (kind == LLVMGlobalVariableValueKind) {
		r = ir_const_fn(l->ir, map_get(&l->bounds, KEY(v)));
		return emit(l, OP_CALL, LLVMTypeOf(v), 1, &r);
	}
	if (kind != LLVMConstantExprValueKind)
		return any_element(l, v);
	r = ins_compute(l, v, LLVMGetConstOpcode(v));
	return r ? r : ir_const_opaque(l->ir);
}

/* ---- initial contents --------------------------------------------------- */

static void
init_scalar(Lower *l, LLVMValueRef v, u64 off, bool ints)
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
init_elements(Lower *l, LLVMValueRef v, u64 off, bool ints, u32 n)
{
	u64 stride = type_size(l, LLVMGetElementType(LLVMTypeOf(v)));

	for (u32 i = 0; i < n; i++)
		value_init(l, LLVMGetAggregateElement(v, i), off + i * stride, ints);
}

void
value_init(Lower *l, LLVMValueRef v, u64 off, bool ints)
{
	LLVMTypeRef t = LLVMTypeOf(v);

	switch (LLVMGetValueKind(v)) {
	case LLVMConstantStructValueKind:
		for (u32 i = 0; i < (u32)LLVMGetNumOperands(v); i++)
			value_init(l, LLVMGetOperand(v, i),
				   off + LLVMOffsetOfElement(l->layout, t, i), ints);
		return;
	case LLVMConstantArrayValueKind:
	case LLVMConstantVectorValueKind:
		init_elements(l, v, off, ints, (u32)LLVMGetNumOperands(v));
		return;
	case LLVMConstantDataArrayValueKind:
		if (ints)
			init_elements(l, v, off, ints, (u32)LLVMGetArrayLength2(t));
		return;
	case LLVMConstantDataVectorValueKind:
		if (ints)
			init_elements(l, v, off, ints, LLVMGetVectorSize(t));
		return;
	case LLVMConstantAggregateZeroValueKind:
	case LLVMUndefValueValueKind:
	case LLVMPoisonValueValueKind: return;
	default: init_scalar(l, v, off, ints);
	}
}
