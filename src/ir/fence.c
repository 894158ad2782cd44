/* fence.c - see fence.h.
 *
 *	data = 1; fence(release); store(flag, 1, relaxed);
 *	while (!load(flag, relaxed)); fence(acquire); use(data);
 *
 * A store behind a release fence publishes what came before the fence.  If
 * nothing but registers and atomic accesses lies between them, that is what it
 * would publish as a releasing store.  Likewise a load is an acquiring one if
 * whatever way is taken from it comes to an acquire fence, or to the load
 * again, before anything else is touched.  A program gets no order from this
 * that it did not have; fences farther away give none here, which is less than
 * they do. */
#include "ir/fence.h"

enum { MAX_BLOCKS = 64 };

/* Does it touch nothing but registers? */
static bool
is_quiet(const Ins *i)
{
	switch (i->op) {
	case OP_COPY:
	case OP_PHI:
	case OP_SELECT:
	case OP_FIELD:
	case OP_INDEX:
	case OP_CMP:
	case OP_BIN:
	case OP_CAST:
	case OP_NONDET:
	case OP_FENCE:
	case OP_BR:
	case OP_CBR:
	case OP_SWITCH: return true;
	default: return false;
	}
}

static bool
is_atomic(const Ins *i)
{
	return (i->op == OP_LOAD || i->op == OP_STORE || i->op == OP_RMW || i->op == OP_CAS) &&
	       i->order != ORDER_PLAIN;
}

static void
strengthen(Ins *i, bool releases)
{
	if (i->op == OP_CAS && !releases)
		i->sub = FAIL_SAME;
	if (i->order == ORDER_RELAXED)
		i->order = releases ? ORDER_RELEASE : ORDER_ACQUIRE;
	else if (i->order == (releases ? ORDER_ACQUIRE : ORDER_RELEASE))
		i->order = ORDER_ACQ_REL;
}

/* The atomic writes behind a release fence, in its block. */
static void
release_behind(Ir *ir, const Block *b, InsId fence)
{
	for (InsId id = fence + 1; id < b->ins + b->nins; id++) {
		Ins *i = &ir->ins.at[id];
		if (!is_quiet(i) && !is_atomic(i))
			return;
		if (is_atomic(i) && i->op != OP_LOAD)
			strengthen(i, true);
	}
}

/* Goes on from an instruction of a block.  False: it touches something before it comes to an
 * acquire fence or to the load; *goes_on: it comes to the block's end. */
static bool
is_calm(const Ir *ir, const Block *b, InsId from, InsId load, bool *goes_on)
{
	*goes_on = false;
	for (InsId id = from; id < b->ins + b->nins; id++) {
		const Ins *i = ir_ins(ir, id);
		if (id == load || (i->op == OP_FENCE && order_acquires(i->order)))
			return true;
		if (!is_quiet(i) && !is_atomic(i))
			return false;
	}
	*goes_on = true;
	return b->nsucc > 0 && !b->exc;
}

/* Does every way from the load come to an acquire fence first? */
static bool
fenced_behind(const Ir *ir, const Fn *fn, BlockId at, InsId load)
{
	BlockId todo[MAX_BLOCKS] = {at};
	u32 n = 1;

	for (u32 k = 0; k < n; k++) {
		const Block *b = fn_block(ir, fn, todo[k]);
		bool goes_on;
		if (!is_calm(ir, b, k ? b->ins : load + 1, load, &goes_on))
			return false;
		for (u32 s = 0; goes_on && s < b->nsucc; s++) {
			BlockId to = ir->succs.at[b->succ + s];
			u32 have = 1; /* the first was not looked at from its start */
			while (have < n && todo[have] != to)
				have++;
			if (have < n)
				continue;
			if (n == MAX_BLOCKS)
				return false;
			todo[n++] = to;
		}
	}
	return true;
}

static void
fences_in(Ir *ir, const Fn *fn)
{
	for (BlockId at = 1; at <= fn->nblock; at++) {
		const Block *b = fn_block(ir, fn, at);
		for (InsId id = b->ins; id < b->ins + b->nins; id++) {
			Ins *i = &ir->ins.at[id];
			if (i->op == OP_FENCE && order_releases(i->order))
				release_behind(ir, b, id);
			else if (is_atomic(i) && i->op != OP_STORE &&
				 !(ins_acquires(i, true) && ins_acquires(i, false)) &&
				 fenced_behind(ir, fn, at, id))
				strengthen(i, false);
		}
	}
}

void
ir_fences(Ir *program)
{
	for (FnId f = 1; f < program->fns.n; f++) {
		const Fn *fn = &program->fns.at[f];
		bool has = false;
		for (InsId id = fn->ins; id < fn->ins + fn->nins && !has; id++)
			has = ir_ins(program, id)->op == OP_FENCE;
		if (has)
			fences_in(program, fn);
	}
}
