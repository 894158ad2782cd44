/* shortcut.c - three things that a program is easier to understand without.
 *
 * Branches on what is known where they are reached from:
 *
 *	head: cbr %x, more, end          head: cbr %x, more, out
 *	more: %y = ...; br end      ->   more: %y = ...; br end
 *	end: %z = phi [false, head], [%y, more]; cbr %z, body, out
 *					 end: cbr %y, body, out
 *
 * So does clang spell `while (x && y)`, where it spells `if (x && y)` as on the right.
 * A block that holds nothing but a phi and a branch on it, and nobody else uses the phi, is left out
 * on edges where the phi is a constant: control goes where the branch would.  Phis of that block get
 * what they had from here, which was computed before: this block computes nothing else.
 *
 * And divisions of products by what divides one factor: `id * N / T` is how many share N evenly.
 *
 * And counters that start alike and take the same steps: `for (i = 0; ...; i++) { if (...) break; n++; }`
 * counts in both i and n, which are one.  So is only what else nothing is done with in the loop.
 *
 * Nothing is read or written more or less often than before, and no instruction is made: those that
 * stay are told by their addresses (list_sites). */
#include "llvm/llvm_int.h"

/* The phi that is all there is in the block but for a branch on it; null none. */
static LLVMValueRef
lone_phi(LLVMBasicBlockRef b)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(b), end = LLVMGetBasicBlockTerminator(b);
	LLVMUseRef use = phi && LLVMIsAPHINode(phi) ? LLVMGetFirstUse(phi) : NULL;

	if (!use || !end || LLVMGetNextInstruction(phi) != end || !LLVMIsABranchInst(end) ||
	    !LLVMIsConditional(end) || LLVMGetCondition(end) != phi || LLVMGetNextUse(use))
		return NULL;
	return phi;
}

static bool
goes_to(LLVMValueRef end, LLVMBasicBlockRef b)
{
	for (u32 k = 0; k < LLVMGetNumSuccessors(end); k++)
		if (LLVMGetSuccessor(end, k) == b)
			return true;
	return false;
}

/* Gives the phis of `to` for the edge from `from` what they have for that from `via`. */
static void
add_arms(LLVMBasicBlockRef to, LLVMBasicBlockRef via, LLVMBasicBlockRef from)
{
	for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);
	     phi = LLVMGetNextInstruction(phi))
		for (u32 k = 0, n = LLVMCountIncoming(phi); k < n; k++) {
			LLVMValueRef v = LLVMGetIncomingValue(phi, k);
			if (LLVMGetIncomingBlock(phi, k) == via)
				LLVMAddIncoming(phi, &v, &from, 1);
		}
}

/* Where the k-th edge into the phi's block leads on, if that is known and it can be moved; else null. */
static LLVMBasicBlockRef
leads_to(LLVMValueRef phi, u32 k)
{
	LLVMBasicBlockRef b = LLVMGetInstructionParent(phi), from = LLVMGetIncomingBlock(phi, k),
			  to;
	LLVMValueRef v = LLVMGetIncomingValue(phi, k), end = LLVMGetBasicBlockTerminator(from);

	if (!LLVMIsAConstantInt(v) || !LLVMIsABranchInst(end) || from == b)
		return NULL;
	to = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(b), LLVMConstIntGetZExtValue(v) ? 0 : 1);
	if (to == b || goes_to(end, to) ||
	    (LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1)))
		return NULL;
	return to;
}

static void
move_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef via, LLVMBasicBlockRef to)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(from);

	add_arms(to, via, from);
	for (u32 i = 0; i < LLVMGetNumSuccessors(end); i++)
		if (LLVMGetSuccessor(end, i) == via)
			LLVMSetSuccessor(end, i, to);
}

/* Moves all edges but the one on which the phi is no constant; then it is that value. */
static void
shorten(LLVMBasicBlockRef b)
{
	LLVMValueRef phi = lone_phi(b), value = NULL;
	u32 n = phi ? LLVMCountIncoming(phi) : 0, variable = 0;

	for (u32 k = 0; k < n; k++) {
		if (leads_to(phi, k))
			continue;
		variable++;
		value = LLVMGetIncomingValue(phi, k);
	}
	if (n < 2 || variable != 1 || LLVMIsAConstantInt(value))
		return;
	for (u32 k = 0; k < n; k++)
		if (LLVMGetIncomingValue(phi, k) != value)
			move_edge(LLVMGetIncomingBlock(phi, k), b, leads_to(phi, k));
	LLVMReplaceAllUsesWith(phi, value);
	LLVMInstructionEraseFromParent(phi);
}

/* x * n / k, where the product does not overflow and k divides n, is x * (n / k). */
static void
divide(LLVMValueRef quotient)
{
	LLVMValueRef x = LLVMGetOperand(quotient, 0), k = LLVMGetOperand(quotient, 1), n;
	LLVMUseRef use;
	long long by;

	if (!LLVMIsABinaryOperator(x) || LLVMGetInstructionOpcode(x) != LLVMMul || !LLVMGetNSW(x))
		return;
	n = LLVMGetOperand(x, 1);
	use = LLVMGetFirstUse(x);
	if (!LLVMIsAConstantInt(k) || !LLVMIsAConstantInt(n) || !use || LLVMGetNextUse(use) ||
	    LLVMGetIntTypeWidth(LLVMTypeOf(n)) > 64)
		return;
	by = LLVMConstIntGetSExtValue(k);
	if (by <= 0 || LLVMConstIntGetSExtValue(n) % by)
		return;
	n = LLVMConstInt(LLVMTypeOf(n), (unsigned long long)(LLVMConstIntGetSExtValue(n) / by),
			 true);
	LLVMSetOperand(x, 1, n);
	LLVMReplaceAllUsesWith(quotient, x);
	LLVMInstructionEraseFromParent(quotient);
}

static void
divide_all(LLVMBasicBlockRef b)
{
	LLVMValueRef next;

	for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (LLVMGetInstructionOpcode(i) == LLVMSDiv)
			divide(i);
	}
}

/* What the phi gets by the edge from b; null: none. */
static LLVMValueRef
arm_from(LLVMValueRef phi, LLVMBasicBlockRef b)
{
	for (u32 k = 0; k < LLVMCountIncoming(phi); k++)
		if (LLVMGetIncomingBlock(phi, k) == b)
			return LLVMGetIncomingValue(phi, k);
	return NULL;
}

/* Is v the phi and a constant?  The constant, or null. */
static LLVMValueRef
step_of(LLVMValueRef phi, LLVMValueRef v)
{
	if (!LLVMIsABinaryOperator(v) || LLVMGetInstructionOpcode(v) != LLVMAdd ||
	    LLVMGetOperand(v, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(v, 1)))
		return NULL;
	return LLVMGetOperand(v, 1);
}

/* Do both phis of a block start alike and go on by the same steps? */
static bool
count_alike(LLVMValueRef p, LLVMValueRef q)
{
	if (LLVMTypeOf(p) != LLVMTypeOf(q))
		return false;
	for (u32 k = 0; k < LLVMCountIncoming(p); k++) {
		LLVMValueRef v = LLVMGetIncomingValue(p, k);
		LLVMValueRef w = arm_from(q, LLVMGetIncomingBlock(p, k));
		if (!w || (v != w && (!step_of(p, v) || step_of(p, v) != step_of(q, w))))
			return false;
	}
	return true;
}

/* Does the loop, whose head is the phi's block, only count in it, and end by another? */
static bool
only_counts(LLVMValueRef phi)
{
	for (LLVMUseRef use = LLVMGetFirstUse(phi); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAPHINode(user) && !step_of(phi, user) &&
		    (!LLVMIsAICmpInst(user) ||
		     LLVMGetInstructionParent(user) == LLVMGetInstructionParent(phi)))
			return false;
	}
	return true;
}

static void
merge_counters(LLVMBasicBlockRef b)
{
	LLVMValueRef next;

	for (LLVMValueRef q = LLVMGetFirstInstruction(b); q && LLVMIsAPHINode(q); q = next) {
		LLVMValueRef p = LLVMGetFirstInstruction(b);

		next = LLVMGetNextInstruction(q);
		if (!only_counts(q))
			continue;
		while (LLVMIsAPHINode(p) && (p == q || !count_alike(p, q)))
			p = LLVMGetNextInstruction(p);
		if (!LLVMIsAPHINode(p))
			continue;
		LLVMReplaceAllUsesWith(q, p);
		LLVMInstructionEraseFromParent(q);
	}
}

void
shorten_function(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
		shorten(b);
		divide_all(b);
		merge_counters(b);
	}
}
