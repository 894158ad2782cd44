/* prune.c - see prune.h.
 *
 * Blocks, instructions and operands are moved down in their tables in place:
 * nothing refers to them yet but the functions and registers, which are set
 * anew.  A block that stops at an `assume` or a call keeps that and ends there. */
#include "ir/prune.h"

#include "ir/value_int.h"

#include <stdlib.h>

enum { ROUNDS = 2 };

typedef struct Prune {
	Ir *ir;
	const Values *v;
	const Fn *old;  /* the function before */
	BlockId *block; /* [old block]: the new one, 0 none */
	Pruned out;
	u32 ins, nblock; /* written so far */
} Prune;

/* A register that is always one number is that number. */
static Val
known(const Prune *x, Val val)
{
	const Reg *reg;
	Range r;

	if (!val_is_reg(val))
		return val;
	reg = fn_reg(x->ir, x->old, val);
	r = x->v->val[x->old->reg + val];
	if (reg->rt != RT_INT || !reg->width || reg->width > 64 || range_empty(r) ||
	    !range_single(r))
		return val;
	return ir_const_int(x->ir, reg->width, r.lo);
}

/* Is there still an edge from p to b? */
static bool
comes_from(const Prune *x, BlockId p, BlockId b)
{
	const Block *from = fn_block(x->ir, x->old, p);

	if (!x->block[p])
		return false;
	for (u32 k = 0; k < from->nsucc; k++)
		if (x->v->edge[from->succ + k] == EDGE_LIVE &&
		    x->v->ir->succs.at[from->succ + k] == b)
			return true;
	return from->exc == b;
}

/* The same for a phi's operand, which need be so only where it comes from. */
static Val
known_arm(const Prune *x, u32 place)
{
	Val val = x->ir->args.at[place];
	u32 at = val_is_reg(val) ? map_get(&x->v->arm_of, place) : 0;

	return at ? ir_const_int(x->ir, fn_reg(x->ir, x->old, val)->width, x->v->arms.at[at - 1])
		  : known(x, val);
}

/* Leaves out the arms along which nothing comes. */
static void
cut_phi(Prune *x, BlockId b, Ins *i)
{
	u32 n = 0;

	for (u32 k = 0; k + 1 < i->narg; k += 2) {
		BlockId from = ins_arg(x->ir, i, k);
		Val val;
		if (!comes_from(x, from, b))
			continue;
		val = known_arm(x, i->arg + k + 1);
		x->ir->args.at[i->arg + n++] = x->block[from];
		x->ir->args.at[i->arg + n++] = val;
	}
	i->narg = n;
}

/* The phis of all blocks, while all edges are as they were. */
static void
cut_phis(Prune *x)
{
	for (BlockId b = 1; b <= x->old->nblock; b++) {
		const Block *block = fn_block(x->ir, x->old, b);
		for (InsId i = block->ins; x->block[b] && i < block->ins + block->nins; i++)
			if (x->ir->ins.at[i].op == OP_PHI)
				cut_phi(x, b, &x->ir->ins.at[i]);
	}
}

static void
move_ins(Prune *x, InsId from)
{
	Ins i = *ir_ins(x->ir, from);

	for (u32 k = 0; i.op != OP_PHI && k < i.narg; k++)
		x->ir->args.at[i.arg + k] = known(x, ins_arg(x->ir, &i, k));
	if (i.dst)
		x->ir->regs.at[x->old->reg + i.dst].def = x->ins;
	x->out.to[from] = x->ins;
	x->ir->ins.at[x->ins++] = i;
}

/* The edges of a branch that run; one that has no choice left is none. */
static void
move_succs(Prune *x, const Block *old, Block *b, Ins *last)
{
	u32 *succ = &x->ir->succs.at[old->succ], *arg = &x->ir->args.at[last->arg];
	const u8 *edge = &x->v->edge[old->succ];
	u32 n = 0, only = 0;

	for (u32 k = 0; k < old->nsucc; k++)
		if (edge[k] == EDGE_LIVE) {
			n++;
			only = x->block[succ[k]];
		}
	if (n == old->nsucc || (last->op == OP_SWITCH && n > 1)) {
		/* a default that is never taken may be any of the others */
		for (u32 k = 0; k < old->nsucc; k++)
			if (edge[k] == EDGE_LIVE || !k)
				succ[k] = edge[k] == EDGE_LIVE ? x->block[succ[k]] : only;
		n = 1;
		for (u32 k = 1; k < old->nsucc && last->op == OP_SWITCH; k++)
			if (edge[k] == EDGE_LIVE) {
				succ[n] = succ[k];
				arg[n++] = arg[k];
			}
		b->nsucc = last->op == OP_SWITCH ? n : old->nsucc;
		last->narg = last->op == OP_SWITCH ? n : last->narg;
		return;
	}
	b->nsucc = 1;
	succ[0] = only;
	last->op = OP_BR;
	last->narg = 0;
}

static void
move_block(Prune *x, BlockId id)
{
	u32 at = x->old->block + id - 1, end = x->v->stop[at];
	Block old = x->ir->blocks.at[at], b = old;
	Ins *last;

	b.ins = x->ins;
	b.nsucc = 0;
	b.exc = old.exc ? x->block[old.exc] : 0;
	for (u32 k = 0; k < old.nins && k <= end; k++)
		move_ins(x, old.ins + k);
	last = &x->ir->ins.at[x->ins - 1];
	if (end >= old.nins) {
		if (old.nsucc)
			move_succs(x, &old, &b, last);
	} else {
		/* the place behind is free: something followed */
		x->ir->ins.at[x->ins++] = (Ins){.op = OP_UNREACHABLE, .src = last->src};
	}
	b.nins = x->ins - b.ins;
	x->ir->blocks.at[x->nblock++] = b;
}

/* ---- functions ------------------------------------------------------------------- */

/* A function that nobody calls stays as it is. */
static void
keep_fn(Prune *x, Fn *f)
{
	u32 ins = x->ins, block = x->nblock;

	for (u32 b = f->block; b < f->block + f->nblock; b++) {
		Block *to = &x->ir->blocks.at[x->nblock++];
		*to = x->ir->blocks.at[b];
		to->ins = to->ins - f->ins + ins;
	}
	for (InsId i = f->ins; i < f->ins + f->nins; i++) {
		x->out.to[i] = x->ins;
		x->ir->ins.at[x->ins++] = *ir_ins(x->ir, i);
	}
	for (Val r = 1; r <= f->nreg; r++) {
		Reg *reg = &x->ir->regs.at[f->reg + r];
		if (reg->def)
			reg->def = x->out.to[reg->def];
	}
	f->ins = ins;
	f->block = block;
}

static void
move_fn(Prune *x, Fn *f, BlockId *number)
{
	Fn old = *f;
	u32 n = 0;

	x->old = &old;
	x->block = number;
	for (BlockId b = 1; b <= old.nblock; b++)
		number[b] = x->v->live[old.block + b - 1] ? ++n : 0;
	for (Val r = 1; r <= old.nreg; r++)
		x->ir->regs.at[old.reg + r].def = 0;
	cut_phis(x);
	f->ins = x->ins;
	f->block = x->nblock;
	for (BlockId b = 1; b <= old.nblock; b++)
		if (number[b])
			move_block(x, b);
	f->nblock = n;
	f->nins = x->ins - f->ins;
	x->out.blocks += old.nblock - n;
	x->out.ins += old.nins - MIN(f->nins, old.nins);
}

static int
by_place(const void *a, const void *b)
{
	const Fn *const *f = a, *const *g = b;

	return (*f)->ins<(*g)->ins ? -1 : (*f)->ins>(*g)->ins;
}

static void
move_all(Prune *x, Arena *a)
{
	Ir *ir = x->ir;
	Fn **fns = arena_array(a, Fn *, ir->fns.n);
	BlockId *number;
	u32 n = 0, most = 0;

	for (FnId f = 1; f < ir->fns.n; f++)
		if (ir->fns.at[f].nblock) {
			fns[n++] = &ir->fns.at[f];
			most = MAX(most, ir->fns.at[f].nblock);
		}
	if (n)
		qsort(fns, n, sizeof *fns, by_place);
	number = arena_array(a, BlockId, most + 1);
	x->ins = x->nblock = 1;
	for (u32 k = 0; k < n; k++)
		if (x->v->live[fns[k]->block])
			move_fn(x, fns[k], number);
		else
			keep_fn(x, fns[k]);
	ir->ins.n = x->ins;
	ir->blocks.n = x->nblock;
}

Pruned
ir_prune(Ir *program, FnId root, const PruneOptions *opt)
{
	Prune x = {.ir = program};
	PruneOptions o = *opt;
	Arena scratch;
	Values v;

	arena_init(&scratch, program->arena->budget);
	for (InsId i = 1; i < program->ins.n && o.closed; i++)
		o.closed = ir_ins(program, i)->op != OP_EXTERN;
	values_init(&v, &scratch, program, root, &o);
	values_solve(&v);
	for (u32 k = 0; k < ROUNDS; k++) {
		values_refine(&v);
		if (!v.found)
			break;
		values_solve(&v);
	}
	x.v = &v;
	x.out.to = arena_array(program->arena, InsId, program->ins.n);
	if (!arena_exceeded(program->arena))
		move_all(&x, &scratch);
	arena_release(&scratch);
	return x.out;
}
