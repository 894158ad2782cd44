/* call.c - calls of functions, through pointers, and of assembly.
 *
 * Arguments that LLVM passes by value in memory are copied to a stack object
 * of the caller, as the ABI does: the callee's writes must not be seen in the
 * original.  Assembly is not understood, and the report lists that assumption:
 * what it gets escapes, unless it says that it leaves memory alone. */
#include "llvm/llvm_int.h"

#include <string.h>

static bool
has_attr(LLVMValueRef call, u32 kind)
{
	return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) != NULL;
}

bool
call_may_throw(Lower *l, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (LLVMGetInstructionOpcode(call) == LLVMInvoke)
		return true;
	if (!l->may_throw || has_attr(call, l->attr.nounwind))
		return false;
	return !LLVMIsAFunction(callee) ||
	       !LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, l->attr.nounwind);
}

/* A copy of the n bytes at p, as the callee would see it. */
static Val
copy_argument(Lower *l, Val p, LLVMTypeRef t)
{
	u16 bits = (u16)(l->ir->ptr_bytes * 8);
	Val n = ir_const_int(l->ir, bits, (i64)type_size(l, t));
	TypeId type = type_of(l, t);
	Val copy = emit_as(l, OP_ALLOC, RT_PTR, bits, 1, &n);

	l->ir->ins.at[l->ir->ins.n - 1].sub = ALLOC_STACK;
	l->ir->ins.at[l->ir->ins.n - 1].aux = type;
	build_ins(&l->b, OP_BCOPY, 3, (Val[]){copy, p, n});
	return copy;
}

static Val
argument(Lower *l, LLVMValueRef call, u32 k)
{
	LLVMAttributeRef byval =
	    LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)(k + 1), l->attr.byval);
	Val v = value_of(l, LLVMGetOperand(call, k));

	return byval ? copy_argument(l, v, LLVMGetTypeAttributeValue(byval)) : v;
}

static bool
is_void(LLVMValueRef v)
{
	LLVMTypeKind k = LLVMGetTypeKind(LLVMTypeOf(v));

	return k == LLVMVoidTypeKind || k == LLVMTokenTypeKind;
}

void
call_extern(Lower *l, LLVMValueRef call, const char *name)
{
	bool is_call = LLVMIsACallInst(call) || LLVMIsACallBrInst(call) || LLVMIsAInvokeInst(call);
	u32 n = is_call ? LLVMGetNumArgOperands(call) : (u32)LLVMGetNumOperands(call);
	Val *args = arena_array(&l->scratch, Val, n);
	Ins *i;

	for (u32 k = 0; k < n; k++)
		args[k] = value_of(l, LLVMGetOperand(call, k));
	i = build_ins(&l->b, OP_EXTERN, n, args);
	i->aux = intern_str(&l->ir->strs, name);
	if (!is_void(call))
		value_define(l, call, i);
}

/* Has a value of type t no pointer in it, as far as its type tells? */
static bool
is_plain(LLVMTypeRef t)
{
	switch (LLVMGetTypeKind(t)) {
	case LLVMVoidTypeKind:
	case LLVMIntegerTypeKind: return true;
	case LLVMStructTypeKind:
		for (u32 k = 0; k < LLVMCountStructElementTypes(t); k++)
			if (!is_plain(LLVMStructGetTypeAtIndex(t, k)))
				return false;
		return true;
	default: return false;
	}
}

/* Does the assembly say that it leaves memory alone, and give no pointer?
 * Then it only computes, and reads where its operands point. */
static bool
asm_is_pure(LLVMValueRef call, LLVMValueRef callee)
{
	size_t len = 0;
	const char *s = LLVMGetInlineAsmConstraintString(callee, &len);

	return !memchr(s, '*', len) && !memmem(s, len, "~{memory}", 9) &&
	       is_plain(LLVMTypeOf(call));
}

static void
lower_pure_asm(Lower *l, LLVMValueRef call)
{
	u32 n = LLVMGetNumArgOperands(call);

	for (u32 k = 0; k < n; k++) {
		Val v = value_of(l, LLVMGetOperand(call, k));
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k))) == LLVMPointerTypeKind)
			build_ins(&l->b, OP_READN, 1, &v);
	}
	if (!is_void(call))
		value_set(l, call, emit(l, OP_NONDET, LLVMTypeOf(call), 0, NULL));
}

/* Does the assembly have an instruction by which processors read and write at once? */
static bool
asm_is_atomic(LLVMValueRef callee)
{
	static const char *const words[] = {"lock",  "xchg",  "xadd",  "ldrex", "strex", "xr",
					    "ldadd", "ldset", "ldclr", "swp",   "cas",   "arx",
					    "cx.",   "amo",   "lr.",   "sc."};
	size_t len = 0;
	const char *s = LLVMGetInlineAsmAsmString(callee, &len);

	for (u32 k = 0; k < COUNT(words); k++)
		if (memmem(s, len, words[k], strlen(words[k])))
			return true;
	return false;
}

/* The assembly reads or writes what its operand k points to.  As atomics the accesses order
 * nothing, since nobody knows what they do. */
static void
asm_access(Lower *l, LLVMValueRef call, u32 k, bool writes, bool atomic)
{
	LLVMAttributeRef attr = LLVMGetCallSiteEnumAttribute(call, k + 1, l->attr.elementtype);
	u64 size = attr ? type_size(l, LLVMGetTypeAttributeValue(attr)) : 0;
	u16 bits = (u16)(l->ir->ptr_bytes * 8);
	Val p = value_of(l, LLVMGetOperand(call, k));
	Ins *i;

	if (!size)
		return;
	i = build_ins(&l->b, writes ? OP_WRITEN : OP_READN, 2,
		      (Val[]){p, ir_const_int(l->ir, bits, (i64)size)});
	i->order = atomic ? ORDER_RELAXED : ORDER_PLAIN;
}

/* The operands of which the constraints say that they are in memory (LLVM's language reference:
 * "=*m" is written, "*m" read; direct results have no operand). */
static void
asm_accesses(Lower *l, LLVMValueRef call, LLVMValueRef callee)
{
	size_t len = 0;
	const char *s = LLVMGetInlineAsmConstraintString(callee, &len), *end = s + len;
	bool atomic = asm_is_atomic(callee);
	u32 k = 0;

	while (s < end && k < LLVMGetNumArgOperands(call)) {
		const char *comma = memchr(s, ',', (size_t)(end - s)), *to = comma ? comma : end;
		bool indirect = memchr(s, '*', (size_t)(to - s)) != NULL, result = *s == '=';
		if (*s == '~' || *s == '!')
			break;
		if (indirect)
			asm_access(l, call, k, result, atomic);
		k += indirect || !result;
		s = to + 1;
	}
}

/* Empty assembly only hides values from the optimiser. */
static void
lower_asm(Lower *l, LLVMValueRef call, LLVMValueRef callee)
{
	size_t len = 0;
	bool empty;
	Val v;

	(void)LLVMGetInlineAsmAsmString(callee, &len);
	empty = len == 0;
	if (empty && is_void(call))
		return;
	if (empty && LLVMGetNumArgOperands(call) == 1) {
		v = value_of(l, LLVMGetOperand(call, 0));
		value_set(l, call, emit(l, OP_COPY, LLVMTypeOf(call), 1, &v));
		return;
	}
	if (!empty)
		lower_assume(l, "inline assembly ignored");
	if (asm_is_pure(call, callee)) {
		lower_pure_asm(l, call);
		return;
	}
	if (!empty)
		asm_accesses(l, call, callee);
	call_extern(l, call, "asm");
}

static void
lower_plain(Lower *l, LLVMValueRef call, LLVMValueRef callee)
{
	u32 n = LLVMGetNumArgOperands(call);
	Val *args = arena_array(&l->scratch, Val, n + 1);
	Ins *i;

	args[0] = value_of(l, callee);
	for (u32 k = 0; k < n; k++)
		args[k + 1] = argument(l, call, k);
	i = build_ins(&l->b, OP_CALL, n + 1, args);
	i->sub = CALL_PLAIN;
	i->flags = call_may_throw(l, call) ? INS_THROWS : 0;
	if (!is_void(call))
		value_define(l, call, i);
}

void
call_lower(Lower *l, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (LLVMIsAInlineAsm(callee))
		lower_asm(l, call, callee);
	else if (LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee))
		intrinsic_lower(l, call, callee);
	else
		lower_plain(l, call, callee);
}
