/* reason_slice.c - what a branch depends on, and whether it ends a loop.
 *
 * Values are followed back through arithmetic and choices of their function, a few steps.  All of
 * this is about the shape of one function, and proves nothing. */
#include "race/reason_int.h"

enum { SLICE = 8, VALUES = 64, NEAR = 8, SMALL = 200 };

/* Values that a value is computed from, the nearest first, each once.  Whatever
 * is computed from more than fit is no flag. */
typedef struct Slice {
	Val at[VALUES];
	u8 depth[VALUES];
	u32 n;
} Slice;

static void
slice_add(Slice *s, Val v, u32 depth)
{
	for (u32 k = 0; k < s->n; k++)
		if (s->at[k] == v)
			return;
	if (s->n == VALUES || depth >= SLICE || !val_is_reg(v))
		return;
	s->at[s->n] = v;
	s->depth[s->n++] = (u8)depth;
}

/* Is it a call of one function that is short enough to do nothing but answer? */
static bool
asks(const Ir *ir, const Ins *call)
{
	const Const *c =
	    val_is_const(ins_arg(ir, call, 0)) ? ir_const(ir, ins_arg(ir, call, 0)) : NULL;
	const Fn *f = c && c->kind == CONST_FN ? &ir->fns.at[c->ref] : NULL;

	return f && f->nblock && f->nblock <= REASON_SHORT;
}

static u32
slice_of(const Ir *ir, const Fn *f, Val v, bool calls, InsId out[SLICE_LOADS])
{
	Slice s = {.n = 0};
	u32 n = 0;

	slice_add(&s, v, 0);
	for (u32 i = 0; i < s.n; i++) {
		InsId id;
		const Ins *ins = def_of(ir, f, s.at[i], &id);
		Op op = ins ? ins->op : OP_RET;

		if ((calls ? op == OP_CALL && asks(ir, ins)
			   : op == OP_LOAD || op == OP_RMW || op == OP_CAS) &&
		    n < SLICE_LOADS)
			out[n++] = id;
		if (op != OP_PHI && op != OP_CMP && op != OP_BIN && op != OP_CAST &&
		    op != OP_COPY && op != OP_SELECT)
			continue;
		for (u32 k = op == OP_PHI; k < ins->narg; k += 1 + (op == OP_PHI))
			slice_add(&s, ins_arg(ir, ins, k), s.depth[i] + 1u);
	}
	return n;
}

u32
reason_slice(const Ir *ir, const Fn *f, Val v, InsId out[SLICE_LOADS])
{
	return slice_of(ir, f, v, false, out);
}

u32
reason_slice_calls(const Ir *ir, const Fn *f, Val v, InsId out[SLICE_LOADS])
{
	return slice_of(ir, f, v, true, out);
}

bool
reason_comes_round(const Races *r, FnId fn, BlockId b, BlockId head)
{
	const Fn *f = &r->ir->fns.at[fn];
	bool *seen, found = b == head;
	VecU32 work = {0};

	if (found || !walk_block_dominates(r->walk, fn, head, b))
		return found;
	seen = arena_array(r->arena, bool, f->nblock + 1);
	vec_push(r->arena, &work, b);
	while (work.n && !found) {
		const Block *bl = fn_block(r->ir, f, work.at[--work.n]);
		for (u32 k = 0; k < bl->nsucc; k++) {
			BlockId s = r->ir->succs.at[bl->succ + k];
			found |= s == head;
			if (seen[s] || !walk_block_dominates(r->walk, fn, head, s))
				continue;
			seen[s] = true;
			vec_push(r->arena, &work, s);
		}
	}
	arena_recycle(r->arena, work.at, work.cap * sizeof *work.at);
	arena_recycle(r->arena, seen, (f->nblock + 1) * sizeof *seen);
	return found;
}

/* The head of a loop is the nearest block that dominates it to which it comes back. */
bool
reason_ends_loop(const Races *r, FnId fn, BlockId b)
{
	const Block *bl = fn_block(r->ir, &r->ir->fns.at[fn], b);

	if (!walk_cyclic(r->walk, fn, b))
		return false;
	for (u32 k = 0; k < bl->nsucc; k++)
		if (!walk_block_reaches(r->walk, fn, r->ir->succs.at[bl->succ + k], b))
			return true;
	if (r->ir->fns.at[fn].nblock > SMALL)
		return false;
	for (BlockId head = b, n = 0; head && n < NEAR; n++, head = walk_idom(r->walk, fn, head)) {
		u32 stay = 0;
		for (u32 k = 0; k < bl->nsucc; k++)
			stay += reason_comes_round(r, fn, r->ir->succs.at[bl->succ + k], head);
		if (stay)
			return stay < bl->nsucc;
	}
	return false;
}
