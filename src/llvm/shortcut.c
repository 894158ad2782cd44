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
 * Nothing is read or written more or less often than before, and no instruction is made. */
#include "llvm/llvm_int.h"

static bool
is_binary(const BcValue *v)
{
	return v->kind == LLVMInstructionValueKind && v->op >= LLVMAdd && v->op <= LLVMXor;
}

/* The next instruction that is no debug record. */
static BcValue *
next_real(const BcValue *i)
{
	BcValue *next = bc_next(i);

	while (next && next->op == BC_DEBUG)
		next = bc_next(next);
	return next;
}

static BcValue *
first_real(const BcBlock *b)
{
	BcValue *i = bc_first(b);

	return i && i->op == BC_DEBUG ? next_real(i) : i;
}

/* The phi that is all there is in the block but for a branch on it; null none. */
static BcValue *
lone_phi(BcBlock *b)
{
	BcValue *phi = first_real(b), *end = b->last;

	if (!phi || !bc_is(phi, LLVMPHI) || phi->uses != 1 || next_real(phi) != end ||
	    !bc_is(end, LLVMBr) || !end->nop || bc_operand(end, 0) != phi)
		return NULL;
	return phi;
}

static bool
goes_to(BcValue *end, BcBlock *b)
{
	for (u32 k = 0; k < end->nto; k++)
		if (end->to[k] == b)
			return true;
	return false;
}

static void
add_arm(BcModule *m, BcValue *phi, BcValue *v, BcBlock *from)
{
	u32 n = phi->nop;
	BcValue **ops = bc_alloc(m, (n + 1) * sizeof *ops);
	BcBlock **to = bc_alloc(m, (n + 1) * sizeof *to);

	memcpy(ops, phi->ops, n * sizeof *ops);
	memcpy(to, phi->to, n * sizeof *to);
	ops[n] = v;
	to[n] = from;
	phi->ops = ops;
	phi->to = to;
	phi->nop = phi->nto = n + 1;
	v->uses++;
}

/* v stands for the instruction from now on. */
static void
replace(BcValue *i, BcValue *v)
{
	for (u32 k = 0; k < i->nop; k++)
		bc_operand(i, k)->uses--;
	v->uses += i->uses;
	v->flags |= i->flags & BC_ODD_USE;
	i->fwd = v;
	i->flags |= BC_GONE;
}

/* Gives the phis of `to` for the edge from `from` what they have for that from `via`. */
static void
add_arms(BcModule *m, BcBlock *to, BcBlock *via, BcBlock *from)
{
	for (BcValue *phi = first_real(to); phi && bc_is(phi, LLVMPHI); phi = next_real(phi))
		for (u32 k = 0, n = phi->nop; k < n; k++) {
			BcValue *v = bc_operand(phi, k);
			if (phi->to[k] == via)
				add_arm(m, phi, v, from);
		}
}

/* Where the k-th edge into the phi's block leads on, if that is known and it can be moved; else null. */
static BcBlock *
leads_to(BcValue *phi, u32 k)
{
	BcBlock *b = phi->in, *from = phi->to[k], *to;
	BcValue *v = bc_operand(phi, k), *end = from->last;

	if (!bc_is_int(v) || !bc_is(end, LLVMBr) || from == b)
		return NULL;
	to = b->last->to[bc_unsigned(v) ? 0 : 1];
	if (to == b || goes_to(end, to) || (end->nop && end->to[0] == end->to[1]))
		return NULL;
	return to;
}

static void
move_edge(BcModule *m, BcBlock *from, BcBlock *via, BcBlock *to)
{
	BcValue *end = from->last;

	add_arms(m, to, via, from);
	for (u32 i = 0; i < end->nto; i++)
		if (end->to[i] == via)
			end->to[i] = to;
}

/* Moves all edges but the one on which the phi is no constant; then it is that value. */
static void
shorten(BcModule *m, BcBlock *b)
{
	BcValue *phi = lone_phi(b), *value = NULL;
	u32 n = phi ? phi->nop : 0, variable = 0;

	for (u32 k = 0; k < n; k++) {
		if (leads_to(phi, k))
			continue;
		variable++;
		value = bc_operand(phi, k);
	}
	if (n < 2 || variable != 1 || bc_is_int(value))
		return;
	for (u32 k = 0; k < n; k++)
		if (bc_operand(phi, k) != value)
			move_edge(m, phi->to[k], b, leads_to(phi, k));
	replace(phi, value);
	value->flags |= BC_ODD_USE; /* the branch */
}

/* x * n / k, where the product does not overflow and k divides n, is x * (n / k). */
static void
divide(BcModule *m, BcValue *quotient)
{
	BcValue *x = bc_operand(quotient, 0), *k = bc_operand(quotient, 1), *n;

	if (!bc_is(x, LLVMMul) || !(x->flags & BC_NSW))
		return;
	n = bc_operand(x, 1);
	if (!bc_is_int(k) || !bc_is_int(n) || x->uses != 1 || n->type->bits > 64)
		return;
	if (k->num <= 0 || n->num % k->num)
		return;
	x->ops[1] = bc_new(m, LLVMConstantIntValueKind, n->type, 0);
	x->ops[1]->num = n->num / k->num;
	replace(quotient, x);
}

static void
divide_all(BcModule *m, BcBlock *b)
{
	for (BcValue *i = first_real(b), *next; i; i = next) {
		next = next_real(i);
		if (i->op == LLVMSDiv)
			divide(m, i);
	}
}

/* What the phi gets by the edge from b; null: none. */
static BcValue *
arm_from(BcValue *phi, BcBlock *b)
{
	for (u32 k = 0; k < phi->nop; k++)
		if (phi->to[k] == b)
			return bc_operand(phi, k);
	return NULL;
}

/* Is v the phi and a constant?  The constant, or null. */
static BcValue *
step_of(BcValue *phi, BcValue *v)
{
	if (!is_binary(v) || v->op != LLVMAdd || bc_operand(v, 0) != phi ||
	    !bc_is_int(bc_operand(v, 1)))
		return NULL;
	return bc_operand(v, 1);
}

static bool
is_same(const BcValue *v, const BcValue *w)
{
	return v == w || (v->kind == LLVMUndefValueValueKind && v->kind == w->kind);
}

/* Do both phis of a block start alike and go on by the same steps? */
static bool
count_alike(BcValue *p, BcValue *q)
{
	if (p->type != q->type)
		return false;
	for (u32 k = 0; k < p->nop; k++) {
		BcValue *v = bc_operand(p, k);
		BcValue *w = arm_from(q, p->to[k]);
		if (!w || (!is_same(v, w) && (!step_of(p, v) || step_of(p, v) != step_of(q, w))))
			return false;
	}
	return true;
}

/* Notes how often each value is used, and of phis whether the loop, whose head is the phi's
 * block, does something else than to count in it, or ends by it. */
static void
note_uses(BcValue *i)
{
	for (u32 k = 0; k < i->nop; k++) {
		BcValue *v = i->ops[k] = bc_now(i->ops[k]);
		v->uses++;
		if (bc_is(v, LLVMPHI) && i->op != LLVMPHI && !step_of(v, i) &&
		    (i->op != LLVMICmp || i->in == v->in))
			v->flags |= BC_ODD_USE;
	}
}

static void
merge_counters(BcBlock *b)
{
	BcValue *next;

	for (BcValue *q = first_real(b); q && bc_is(q, LLVMPHI); q = next) {
		BcValue *p = first_real(b);

		next = next_real(q);
		if (q->flags & BC_ODD_USE)
			continue;
		while (bc_is(p, LLVMPHI) && (p == q || !count_alike(p, q)))
			p = next_real(p);
		if (!bc_is(p, LLVMPHI))
			continue;
		replace(q, p);
	}
}

void
shorten_function(BcModule *m)
{
	for (u32 b = 0; b < m->nblock; b++)
		for (BcValue *i = first_real(&m->blocks[b]); i; i = next_real(i))
			note_uses(i);
	for (u32 b = 0; b < m->nblock; b++) {
		shorten(m, &m->blocks[b]);
		divide_all(m, &m->blocks[b]);
		merge_counters(&m->blocks[b]);
	}
}
