/* reason_process.c - accesses in another process.
 *
 * fork copies the process: the child has the forking thread only, and all memory as it was, but
 * none that it shares with its parent unless that was mapped so.  What runs only where the call
 * returned zero does not meet the parent's threads.  It meets those that it has started itself, and
 * signal handlers, which are everywhere.
 *
 * The child's code is what blocks dominate to which a branch leads only if the result is zero; of
 * a function that returns the result, that of its calls is one, too.  A thread does there what is in these
 * blocks, and what it reaches only by calls in them (reason_way.c).  Who started the other thread is
 * known as far as threads are told apart, and who else is in the child is not, so this only lowers a rung. */
#include "race/reason_int.h"

typedef struct Copies {
	const Races *r;
	Set *code;   /* instructions */
	bool *gives; /* [FnId]: it returns such a result */
	bool more;   /* gives has grown */
} Copies;

/* Is v what says whether this is a copy? */
static bool
tells(const Copies *c, const Fn *f, Val v)
{
	const Ir *ir = c->r->ir;
	InsId id;
	const Ins *i = val_is_const(v) ? NULL : def_of(ir, f, v, &id);
	Val callee;

	if (!i)
		return false;
	if (i->op == OP_NONDET)
		return i->sub == NONDET_COPY;
	callee = i->op == OP_CALL ? ins_arg(ir, i, 0) : 0;
	return callee && val_is_const(callee) && ir_const(ir, callee)->kind == CONST_FN &&
	       c->gives[ir_const(ir, callee)->ref];
}

static bool
is_zero(const Ir *ir, Val v)
{
	return val_is_const(v) && ir_const(ir, v)->kind == CONST_INT && !ir_const(ir, v)->num;
}

/* Where the copy goes from b by its last instruction; 0: that does not ask. */
static BlockId
way_of_copy(const Copies *c, const Fn *f, const Block *b)
{
	const Ir *ir = c->r->ir;
	const Ins *last = ir_ins(ir, b->ins + b->nins - 1), *cmp;
	InsId id;

	if (last->op == OP_SWITCH && tells(c, f, ins_arg(ir, last, 0)))
		for (u32 k = 1; k < last->narg; k++)
			if (is_zero(ir, ins_arg(ir, last, k)))
				return ir->succs.at[b->succ + k];
	if (last->op != OP_CBR || val_is_const(ins_arg(ir, last, 0)))
		return 0;
	cmp = def_of(ir, f, ins_arg(ir, last, 0), &id);
	if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE) ||
	    !is_zero(ir, ins_arg(ir, cmp, 1)) || !tells(c, f, ins_arg(ir, cmp, 0)))
		return 0;
	return ir->succs.at[b->succ + (cmp->sub == CMP_NE)];
}

static void
add_dominated(Copies *c, FnId fn, BlockId first)
{
	const Fn *f = &c->r->ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *block = fn_block(c->r->ir, f, b);
		if (!walk_block_dominates(c->r->walk, fn, first, b))
			continue;
		for (u32 k = 0; k < block->nins; k++)
			set_add(c->r->arena, c->code, block->ins + k);
	}
}

static void
look_at(Copies *c, FnId fn)
{
	const Ir *ir = c->r->ir;
	const Fn *f = &ir->fns.at[fn];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *block = fn_block(ir, f, b);
		const Ins *last = ir_ins(ir, block->ins + block->nins - 1);
		BlockId copy = way_of_copy(c, f, block);
		u32 n = 0;
		if (copy)
			(void)walk_preds(c->r->walk, fn, copy, &n);
		if (n == 1)
			add_dominated(c, fn, copy);
		if (last->op == OP_RET && last->narg && !c->gives[fn] &&
		    tells(c, f, ins_arg(ir, last, 0)))
			c->gives[fn] = c->more = true;
	}
}

const Set *
reason_copy_code(Reasons *rs)
{
	const Ir *ir = rs->r->ir;
	Copies c = {.r = rs->r};

	if (rs->copy_code)
		return rs->copy_code;
	c.code = rs->copy_code = arena_new(rs->r->arena, Set);
	for (InsId k = 1; k < ir->ins.n && !c.more; k++)
		c.more = op_at(rs->r, k) == OP_NONDET && ir_ins(ir, k)->sub == NONDET_COPY;
	c.gives = c.more ? arena_array(rs->r->arena, bool, ir->fns.n) : NULL;
	while (c.more) { /* as often as results go up a call */
		c.more = false;
		for (FnId f = 1; f < ir->fns.n; f++)
			look_at(&c, f);
	}
	return rs->copy_code;
}

/* Does t only do so as a copy of the process that it was started in? */
static bool
copies_itself(Reasons *rs, ThreadId t, InstId inst, InsId ins)
{
	return set_has(rs->copy_code, ins) || !reason_in_original(rs, t, inst);
}

/* Was t certainly started by the process that was there at first? */
static bool
is_original(Reasons *rs, ThreadId t)
{
	const Threads *th = rs->r->conc->threads;

	for (; t != 1; t = thread_get(th, t)->parent) {
		const Thread *at = thread_get(th, t);
		if (at->folded || at->adopted || at->crew != t ||
		    ir_ins(rs->r->ir, at->fork)->flags & INS_INTERRUPTS ||
		    copies_itself(rs, at->parent, at->fork_inst, at->fork))
			return false;
	}
	return true;
}

bool
reason_process(Reasons *rs, u32 a, u32 b, ObjId o)
{
	const Access *x = access_at(rs->r, a), *y = access_at(rs->r, b);
	const Obj *obj = pta_obj(rs->r->pta, o);
	bool p, q;

	if (set_empty(reason_copy_code(rs)) ||
	    (obj->ins && ir_ins(rs->r->ir, obj->ins)->op == OP_ALLOC &&
	     ir_ins(rs->r->ir, obj->ins)->flags & INS_MAPPED))
		return false;
	p = copies_itself(rs, x->thread, x->inst, x->ins);
	q = copies_itself(rs, y->thread, y->inst, y->ins);
	return (p && q) || (p && is_original(rs, y->thread)) || (q && is_original(rs, x->thread));
}
