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

/* ---- assembly that updates memory atomically ------------------------------ */

static bool
has_text(const char *s, size_t len, const char *word)
{
	return memmem(s, len, word, strlen(word)) != NULL;
}

/* What an assembly of x86 with one memory operand that it writes is given. */
typedef struct Update {
	LLVMValueRef at;  /* the operand's address */
	LLVMTypeRef type; /* of what is there */
	Val values[4];    /* that it is given else */
	u32 n;
	bool
	    ordered; /* it says that it touches other memory, too: the compiler moves none across */
} Update;

static LLVMTypeRef
element_type(Lower *l, LLVMValueRef call, u32 k)
{
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, k + 1, l->attr.elementtype);

	return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

/* Adds operand k, which the constraint describes; false: it is none of an update. */
static bool
add_operand(Lower *l, LLVMValueRef call, u32 k, const char *constraint, size_t len, Update *u)
{
	LLVMValueRef v = LLVMGetOperand(call, k);
	bool indirect = memchr(constraint, '*', len) != NULL;

	if (indirect && *constraint == '=') {
		if (u->at && u->at != v)
			return false;
		u->at = v;
		u->type = element_type(l, call, k);
	} else if (!indirect) {
		if (u->n == COUNT(u->values))
			return false;
		u->values[u->n++] = value_of(l, v);
	}
	return true;
}

/* The operands, by their constraints: outputs, inputs, then what is clobbered. */
static bool
find_update(Lower *l, LLVMValueRef call, LLVMValueRef callee, Update *u)
{
	size_t len = 0, text_len = 0;
	const char *s = LLVMGetInlineAsmConstraintString(callee, &len), *end = s + len, *next;
	const char *text = LLVMGetInlineAsmAsmString(callee, &text_len);
	u32 k = 0, n = LLVMGetNumArgOperands(call);

	if ((!has_text(text, text_len, "lock") && !has_text(text, text_len, "xchg")) ||
	    has_text(text, text_len, "call"))
		return false;
	*u = (Update){.ordered = has_text(s, len, "~{memory}") && !has_text(text, text_len, "j")};
	for (; s < end; s = next + 1) {
		bool indirect;
		next = memchr(s, ',', (size_t)(end - s));
		next = next ? next : end;
		indirect = memchr(s, '*', (size_t)(next - s)) != NULL;
		if (*s == '~' || (*s == '=' && !indirect))
			continue;
		if (k == n || !add_operand(l, call, k++, s, (size_t)(next - s), u))
			return false;
	}
	return u->at && u->type && LLVMStoreSizeOfType(l->layout, u->type) <= 8 &&
	       LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMStructTypeKind;
}

/* v, or w: which is not known. */
static Val
either(Lower *l, LLVMTypeRef t, Val v, Val w)
{
	Val any = emit_as(l, OP_NONDET, RT_INT, 1, 0, NULL);

	return emit(l, OP_SELECT, t, 3, (Val[]){any, v, w});
}

/* A locked instruction: memory gets one of the values, or one that was computed, and the result may be
 * what was there. */
static void
lower_update(Lower *l, LLVMValueRef call, const Update *u)
{
	LLVMTypeRef t = LLVMTypeOf(call);
	Val v = emit(l, OP_NONDET, u->type, 0, NULL), old;
	Ins *i;

	for (u32 k = 0; k < u->n; k++)
		v = either(l, u->type, u->values[k], v);
	old = emit(l, OP_RMW, u->type, 2, (Val[]){value_of(l, u->at), v});
	i = &l->ir->ins.at[l->ir->ins.n - 1];
	i->sub = BIN_XCHG;
	i->width = (u16)(LLVMStoreSizeOfType(l->layout, u->type) * 8);
	i->order = u->ordered ? ORDER_SEQ_CST : ORDER_RELAXED;
	lower_assume(l, "inline assembly taken as an atomic update of its operand");
	if (is_void(call))
		return;
	v = emit(l, OP_NONDET, t, 0, NULL);
	value_set(l, call,
		  LLVMStoreSizeOfType(l->layout, t) == LLVMStoreSizeOfType(l->layout, u->type)
		      ? either(l, t, old, v)
		      : v);
}

/* Empty assembly only hides values from the optimiser. */
static void
lower_asm(Lower *l, LLVMValueRef call, LLVMValueRef callee)
{
	size_t len = 0;
	bool empty;
	Update u;
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
	if (find_update(l, call, callee, &u)) {
		lower_update(l, call, &u);
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
