/* call.c - calls of functions, through pointers, and of assembly.
 *
 * Arguments that LLVM passes by value in memory are copied to a stack object
 * of the caller, as the ABI does: the callee's writes must not be seen in the
 * original.  Assembly is not understood, and the report lists that assumption:
 * what it gets escapes, unless it says that it leaves memory alone. */
#include "llvm/llvm_int.h"

#include <string.h>

bool
call_may_throw(Lower *l, BcValue *call)
{
	BcValue *callee = bc_callee(call);

	if (call->op == LLVMInvoke)
		return true;
	if (!l->may_throw || bc_attrs(l->m, call)->no_unwind)
		return false;
	return !bc_is_fn(callee) || !bc_fn_attrs(l->m, callee)->no_unwind;
}

/* A copy of the n bytes at p, as the callee would see it. */
static Val
copy_argument(Lower *l, Val p, BcType *t)
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
argument(Lower *l, BcValue *call, u32 k)
{
	BcType *byval = bc_param_type(l->m, call, k, true);
	Val v = value_of(l, bc_operand(call, k));

	return byval ? copy_argument(l, v, byval) : v;
}

static bool
is_void(BcValue *v)
{
	LLVMTypeKind k = v->type->kind;

	return k == LLVMVoidTypeKind || k == LLVMTokenTypeKind;
}

void
call_extern(Lower *l, BcValue *call, const char *name)
{
	bool is_call = bc_is(call, LLVMCall) || bc_is(call, LLVMCallBr) || bc_is(call, LLVMInvoke);
	u32 n = is_call ? call->nop - 1 : call->nop;
	Val *args = arena_array(&l->scratch, Val, n);
	Ins *i;

	for (u32 k = 0; k < n; k++)
		args[k] = value_of(l, bc_operand(call, k));
	i = build_ins(&l->b, OP_EXTERN, n, args);
	i->aux = intern_str(&l->ir->strs, name);
	if (!is_void(call))
		value_define(l, call, i);
}

/* Has a value of type t no pointer in it, as far as its type tells? */
static bool
is_plain(BcType *t)
{
	switch (t->kind) {
	case LLVMVoidTypeKind:
	case LLVMIntegerTypeKind: return true;
	case LLVMStructTypeKind:
		for (u32 k = 0; k < t->n; k++)
			if (!is_plain(t->part[k]))
				return false;
		return true;
	default: return false;
	}
}

static const char *
asm_text(const BcValue *callee, size_t *n)
{
	*n = callee->nop;
	return callee->text;
}

static const char *
asm_constraints(const BcValue *callee, size_t *n)
{
	*n = callee->nto;
	return callee->text + callee->nop + 1;
}

/* Does the assembly say that it leaves memory alone, and give no pointer?
 * Then it only computes, and reads where its operands point. */
static bool
asm_is_pure(BcValue *call, BcValue *callee)
{
	size_t len = 0;
	const char *s = asm_constraints(callee, &len);

	return !memchr(s, '*', len) && !memmem(s, len, "~{memory}", 9) && is_plain(call->type);
}

static void
lower_pure_asm(Lower *l, BcValue *call)
{
	u32 n = call->nop - 1;

	for (u32 k = 0; k < n; k++) {
		Val v = value_of(l, bc_operand(call, k));
		if (bc_operand(call, k)->type->kind == LLVMPointerTypeKind)
			build_ins(&l->b, OP_READN, 1, &v);
	}
	if (!is_void(call))
		value_set(l, call, emit(l, OP_NONDET, call->type, 0, NULL));
}

/* Does the assembly have an instruction by which processors read and write at once? */
static bool
asm_is_atomic(BcValue *callee)
{
	static const char *const words[] = {"lock",  "xchg",  "xadd",  "ldrex", "strex", "xr",
					    "ldadd", "ldset", "ldclr", "swp",   "cas",   "arx",
					    "cx.",   "amo",   "lr.",   "sc."};
	size_t len = 0;
	const char *s = asm_text(callee, &len);

	for (u32 k = 0; k < COUNT(words); k++)
		if (memmem(s, len, words[k], strlen(words[k])))
			return true;
	return false;
}

/* The assembly reads or writes what its operand k points to.  As atomics the accesses order
 * nothing, since nobody knows what they do. */
static void
asm_access(Lower *l, BcValue *call, u32 k, bool writes, bool atomic)
{
	BcType *of = bc_param_type(l->m, call, k, false);
	u64 size = of ? type_size(l, of) : 0;
	u16 bits = (u16)(l->ir->ptr_bytes * 8);
	Val p = value_of(l, bc_operand(call, k));
	Ins *i;

	if (!size)
		return;
	i = build_ins(&l->b, writes ? OP_WRITEN : OP_READN, 2,
		      (Val[]){p, ir_const_int(l->ir, bits, (i64)size)});
	i->order = atomic ? ORDER_RELAXED : ORDER_PLAIN;
}

/* Is an operand's address taken from the start of a segment?  What x86 has there
 * belongs to the thread, or in a kernel to the processor, alone. */
static bool
asm_is_local(BcValue *callee)
{
	size_t len = 0;
	const char *s = asm_text(callee, &len);

	return memmem(s, len, "%gs:", 4) || memmem(s, len, "%fs:", 4);
}

/* The operands of which the constraints say that they are in memory (LLVM's language reference:
 * "=*m" is written, "*m" read; direct results have no operand). */
static void
asm_accesses(Lower *l, BcValue *call, BcValue *callee)
{
	size_t len = 0;
	const char *s = asm_constraints(callee, &len), *end = s + len;
	bool atomic = asm_is_atomic(callee);
	u32 k = 0;

	while (s < end && k < call->nop - 1) {
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
	BcValue *at;   /* the operand's address */
	BcType *type;  /* of what is there */
	Val values[4]; /* that it is given else */
	u32 n;
	bool
	    ordered; /* it says that it touches other memory, too: the compiler moves none across */
} Update;

/* Adds operand k, which the constraint describes; false: it is none of an update. */
static bool
add_operand(Lower *l, BcValue *call, u32 k, const char *constraint, size_t len, Update *u)
{
	BcValue *v = bc_operand(call, k);
	bool indirect = memchr(constraint, '*', len) != NULL;

	if (indirect && *constraint == '=') {
		if (u->at && u->at != v)
			return false;
		u->at = v;
		u->type = bc_param_type(l->m, call, k, false);
	} else if (!indirect) {
		if (u->n == COUNT(u->values))
			return false;
		u->values[u->n++] = value_of(l, v);
	}
	return true;
}

/* The operands, by their constraints: outputs, inputs, then what is clobbered. */
static bool
find_update(Lower *l, BcValue *call, BcValue *callee, Update *u)
{
	size_t len = 0, text_len = 0;
	const char *s = asm_constraints(callee, &len), *end = s + len, *next;
	const char *text = asm_text(callee, &text_len);
	u32 k = 0, n = call->nop - 1;

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
	return u->at && u->type && bc_store_size(l->m, u->type) <= 8 &&
	       call->type->kind != LLVMStructTypeKind;
}

/* v, or w: which is not known. */
static Val
either(Lower *l, BcType *t, Val v, Val w)
{
	Val any = emit_as(l, OP_NONDET, RT_INT, 1, 0, NULL);

	return emit(l, OP_SELECT, t, 3, (Val[]){any, v, w});
}

/* A locked instruction: memory gets one of the values, or one that was computed, and the result may be
 * what was there. */
static void
lower_update(Lower *l, BcValue *call, const Update *u)
{
	BcType *t = call->type;
	Val v = emit(l, OP_NONDET, u->type, 0, NULL), old;
	Ins *i;

	for (u32 k = 0; k < u->n; k++)
		v = either(l, u->type, u->values[k], v);
	old = emit(l, OP_RMW, u->type, 2, (Val[]){value_of(l, u->at), v});
	i = &l->ir->ins.at[l->ir->ins.n - 1];
	i->sub = BIN_XCHG;
	i->width = (u16)(bc_store_size(l->m, u->type) * 8);
	i->order = u->ordered ? ORDER_SEQ_CST : ORDER_RELAXED;
	lower_assume(l, "inline assembly taken as an atomic update of its operand");
	if (is_void(call))
		return;
	v = emit(l, OP_NONDET, t, 0, NULL);
	value_set(l, call,
		  bc_store_size(l->m, t) == bc_store_size(l->m, u->type) ? either(l, t, old, v)
									 : v);
}

/* Empty assembly only hides values from the optimiser. */
static void
lower_asm(Lower *l, BcValue *call, BcValue *callee)
{
	size_t len = 0;
	bool empty;
	Update u;
	Val v;

	(void)asm_text(callee, &len);
	empty = len == 0;
	if (empty && is_void(call))
		return;
	if (empty && call->nop - 1 == 1) {
		v = value_of(l, bc_operand(call, 0));
		value_set(l, call, emit(l, OP_COPY, call->type, 1, &v));
		return;
	}
	if (!asm_is_local(callee) && find_update(l, call, callee, &u)) {
		lower_update(l, call, &u);
		return;
	}
	if (asm_is_local(callee)) {
		lower_assume(l, "inline assembly taken to touch the thread's or processor's own");
		if (!is_void(call))
			value_set(l, call, emit(l, OP_NONDET, call->type, 0, NULL));
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
lower_plain(Lower *l, BcValue *call, BcValue *callee)
{
	u32 n = call->nop - 1;
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
call_lower(Lower *l, BcValue *call)
{
	BcValue *callee = bc_callee(call);

	if (callee->kind == LLVMInlineAsmValueKind)
		lower_asm(l, call, callee);
	else if (bc_is_fn(callee) && bc_is_intrinsic(bc_global(callee)))
		intrinsic_lower(l, call, callee);
	else
		lower_plain(l, call, callee);
}
