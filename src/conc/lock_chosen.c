/* lock_chosen.c - locks whose number is computed from that of the cell.
 *
 *	lock(&stripe[n % STRIPES]); cell[n]++;		lock(&stripe[h & 7]); cell[h & 63]++;
 *
 * Whoever comes to one cell has one n, or one h & 63, and so one h & 7, if it is
 * computed in the same way.  The way is a chain of operations with constants, from
 * the lock's number to the cell's, or to what both are remainders of, where the
 * one divides the other.
 *
 * The lock's number must be computed on every way to the access: then what it was
 * computed from has not been defined anew since, for a way from there to the
 * access that leaves it out would be one from the function's start. */
#include "conc/lock_int.h"

#include "ir/cfg.h"

enum { STEPS = 6 };

typedef struct Chain {
	i64 at[3 * (STEPS + 1)]; /* operation, width and number of each step */
	u32 n;
} Chain;

static void
add_step(Chain *c, i64 op, i64 width, i64 num)
{
	c->at[c->n++] = op;
	c->at[c->n++] = width;
	c->at[c->n++] = num;
}

/* The register that an index is, or is converted from; what a cell's is cut from is not known
 * by it. */
static Val
index_reg(const Locks *l, PathId index, bool of_cell)
{
	const Path *p = path_get(&l->paths, index);

	while (p->kind == PATH_CAST && !(of_cell && p->ref >> 16 == CAST_TRUNC))
		p = path_get(&l->paths, p->base);
	return p->kind == PATH_VALUE ? p->ref : p->kind == PATH_PARAM ? p->ref + 1 : 0;
}

static InsId
def_id(const Locks *l, const Fn *fn, Val v)
{
	return val_is_reg(v) ? fn_reg(l->ir, fn, v)->def : 0;
}

/* The constant by which an operation takes the remainder, 0 if it is none; how: of which sign. */
static i64
modulus(const Locks *l, const Ins *i, bool *is_signed)
{
	Val k = i->op == OP_BIN && i->narg == 2 ? ins_arg(l->ir, i, 1) : 0;
	i64 n;

	if (!val_is_const(k) || ir_const(l->ir, k)->kind != CONST_INT)
		return 0;
	n = ir_const(l->ir, k)->num;
	*is_signed = i->sub == BIN_SREM;
	if (i->sub == BIN_AND)
		return n > 0 && n < INT32_MAX && !(n & (n + 1)) ? n + 1 : 0;
	return (i->sub == BIN_SREM || i->sub == BIN_UREM) && n > 0 ? n : 0;
}

/* Is i a remainder of the same number as the cell's, by a divisor of its constant? */
static bool
divides(const Locks *l, const Fn *fn, const Ins *i, Val cell)
{
	InsId def;
	bool s = false, t = false;
	i64 small = modulus(l, i, &s), large = 0;

	while (small && (def = def_id(l, fn, cell))) {
		const Ins *c = ir_ins(l->ir, def);
		if (c->op == OP_CAST && (c->sub == CAST_SEXT || c->sub == CAST_ZEXT)) {
			cell = ins_arg(l->ir, c, 0);
			continue;
		}
		large = modulus(l, c, &t);
		return large && s == t && large % small == 0 &&
		       ins_arg(l->ir, c, 0) == ins_arg(l->ir, i, 0);
	}
	return false;
}

/* The chain from the lock's number to the cell's; false if there is none. */
static bool
find_chain(const Locks *l, const Fn *fn, Val lock, Val cell, Chain *c)
{
	for (u32 step = 0; step < STEPS; step++) {
		InsId def = def_id(l, fn, lock);
		const Ins *i = def ? ir_ins(l->ir, def) : NULL;
		bool is_signed = false;
		i64 m;
		if (lock == cell)
			return true;
		if (!i || (i->op != OP_CAST && i->op != OP_BIN && i->op != OP_COPY) ||
		    (i->op == OP_CAST && i->sub == CAST_FLOAT) ||
		    (i->op == OP_BIN &&
		     (i->sub == BIN_FLOAT || !val_is_const(ins_arg(l->ir, i, 1)))))
			return false;
		m = modulus(l, i, &is_signed);
		if (m)
			add_step(c, is_signed ? BIN_SREM : BIN_UREM, i->width, m);
		else if (i->op == OP_BIN)
			add_step(c, i->sub, i->width, ir_const(l->ir, ins_arg(l->ir, i, 1))->num);
		else if (i->op == OP_CAST)
			add_step(c, -1 - (i64)i->sub, i->width, i->imm);
		if (m && divides(l, fn, i, cell))
			return true;
		lock = ins_arg(l->ir, i, 0);
	}
	return false;
}

static const Cfg *
cfg_of(Locks *l, FnId f)
{
	u32 *at = map_at(l->arena, &l->cfg_of, f);

	if (!*at) {
		Cfg *c = arena_new(l->arena, Cfg);
		cfg_build(c, l->arena, l->ir, &l->ir->fns.at[f]);
		vec_push(l->arena, &l->cfgs, c);
		*at = l->cfgs.n;
	}
	return l->cfgs.at[*at - 1];
}

u64
locks_chosen(Locks *l, InstId inst, InsId access, PathId cell_index, PathId lock_index)
{
	FnId f = pta_inst(l->pta, inst)->fn;
	const Fn *fn = &l->ir->fns.at[f];
	Val cell = index_reg(l, cell_index, true), lock = index_reg(l, lock_index, false);
	Chain c = {.n = 0};
	InsId def = def_id(l, fn, lock);
	u64 how;

	if (!cell || !def || cell == lock || !find_chain(l, fn, lock, cell, &c) || !c.n ||
	    !cfg_precedes(cfg_of(l, f), def, access))
		return 0;
	for (const Path *p = path_get(&l->paths, lock_index);
	     p->kind == PATH_CAST && c.n + 3 <= 3 * (STEPS + 1); p = path_get(&l->paths, p->base))
		add_step(&c, -100, p->ref, 0);
	how = hash_bytes(c.at, c.n * sizeof *c.at);
	return how ? how : 1;
}
