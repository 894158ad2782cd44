/* distinct_within.c - numbers that lie in a range, whoever has them.
 *
 * A mask or a remainder bounds what it gives, and gives what it was given where
 * that is small enough: `cpu & 7` of eight threads is each thread's own.  And
 * what a condition has said, or an `assume`, which control has passed on its
 * way to the access, holds of a register there: between its definition and the
 * access a run has passed the condition. */
#include "conc/distinct_int.h"
#include "ir/range.h"

enum { DEPTH = 8, CASTS = 4, WIDEST = 1 << 30 };

/* How many numbers from 0 on the operation leaves as they are; 0: it is none of these. */
static i64
kept_below(const Ins *ins, const Form *y)
{
	if (!form_constant(y) || y->add <= 0 || y->add >= WIDEST)
		return 0;
	if (ins->sub == BIN_AND)
		return y->add & (y->add + 1) ? 0 : y->add + 1;
	return ins->sub == BIN_UREM || ins->sub == BIN_SREM ? y->add : 0;
}

/* Are all values of x from 0 to below - 1?  m: the maker whose counter it is of, or null. */
static bool
lies_below(const Maker *m, const Form *x, i64 below)
{
	i64 lo = x->add, hi = x->add + x->span;

	if (x->kind != FORM_INT || x->mod || x->span > WIDEST || x->add < 0 || x->add > WIDEST)
		return false;
	if (x->scale) {
		if (x->of != OF_COUNTER || !m || !m->bounded || x->scale < 0 || x->scale > WIDEST ||
		    m->lo < 0 || m->hi > WIDEST || m->hi <= m->lo)
			return false;
		lo += x->scale * m->lo;
		hi += x->scale * (m->hi - 1);
	}
	return lo >= 0 && hi < below;
}

Form
form_bin(Distinct *d, const Maker *m, const Ins *ins, Form x, Form y)
{
	i64 below;
	Form f;

	if (ins->sub == BIN_AND && form_constant(&x)) {
		f = x;
		x = y;
		y = f;
	}
	if (x.kind == FORM_UNSET || y.kind == FORM_UNSET)
		return (Form){0};
	below = kept_below(ins, &y);
	if (below && !form_constant(&x) && lies_below(m, &x, below))
		return x;
	f = form_combine(d, ins, x, y);
	if (!below || f.kind != FORM_NONE)
		return f;
	if (ins->sub == BIN_SREM && !(x.kind == FORM_INT && lies_below(m, &x, WIDEST)))
		return (Form){.kind = FORM_INT, .add = 1 - below, .span = 2 * below - 2};
	return (Form){.kind = FORM_INT, .span = below - 1};
}

/* ---- conditions ------------------------------------------------------------------- */

typedef struct Within {
	const Ir *ir;
	const Cfg *c;
	Val v;
	u16 width;
	BlockId use;
} Within;

static Range behind(const Within *w, BlockId use, u32 depth);

/* What a comparison of `with` against a constant says of v, of which it is a conversion. */
static Range
compared(const Within *w, const Ins *cmp, u32 side, bool truth)
{
	Val with = ins_arg(w->ir, cmp, side), to = ins_arg(w->ir, cmp, !side);
	const Const *k = val_is_const(to) ? ir_const(w->ir, to) : NULL;
	u16 width = (u16)cmp->imm;
	bool zext = false;
	Range r;

	for (u32 n = 0; with != w->v; n++) {
		InsId def = val_is_reg(with) ? fn_reg(w->ir, w->c->fn, with)->def : 0;
		const Ins *ins = def ? ir_ins(w->ir, def) : NULL;
		if (!ins || n == CASTS || ins->op != OP_CAST ||
		    (ins->sub != CAST_SEXT && ins->sub != CAST_ZEXT))
			return range_all(w->width);
		zext |= ins->sub == CAST_ZEXT;
		with = ins_arg(w->ir, ins, 0);
	}
	if (!k || k->kind != CONST_INT || cmp->sub == CMP_FLOAT)
		return range_all(w->width);
	r = range_where(side ? range_swapped(cmp->sub) : cmp->sub, truth, range_all(width),
			range_one(k->num), width);
	/* What was extended without its sign is the same number only if that was not set. */
	if (zext && (r.lo < 0 || r.hi > range_all(w->width).hi))
		return range_all(w->width);
	return range_meet(range_all(w->width), r);
}

/* What it says of v that `cond` is true or not. */
static Range
said(const Within *w, Val cond, bool truth, u32 depth)
{
	InsId def = val_is_reg(cond) ? fn_reg(w->ir, w->c->fn, cond)->def : 0;
	const Ins *ins = def ? ir_ins(w->ir, def) : NULL;
	Range all = range_all(w->width);
	u32 arm = 0;

	if (!ins || depth >= DEPTH)
		return all;
	if (ins->op == OP_COPY ||
	    (ins->op == OP_CAST && (ins->sub == CAST_ZEXT || ins->sub == CAST_SEXT)))
		return said(w, ins_arg(w->ir, ins, 0), truth, depth + 1);
	if (ins->op == OP_CMP) {
		Val y = ins_arg(w->ir, ins, 1);
		const Const *k = val_is_const(y) ? ir_const(w->ir, y) : NULL;
		Range r = range_meet(compared(w, ins, 0, truth), compared(w, ins, 1, truth));
		if (k && k->kind == CONST_INT && !k->num &&
		    (ins->sub == CMP_EQ || ins->sub == CMP_NE))
			r = range_meet(r, said(w, ins_arg(w->ir, ins, 0),
					       truth == (ins->sub == CMP_NE), depth + 1));
		return r;
	}
	if (ins->op == OP_BIN && ins->sub == (truth ? BIN_AND : BIN_OR) && ins->width == 1)
		return range_meet(said(w, ins_arg(w->ir, ins, 0), truth, depth + 1),
				  said(w, ins_arg(w->ir, ins, 1), truth, depth + 1));
	if (ins->op != OP_PHI || w->c->loop_of[cfg_block_of(w->ir, w->c->fn, def)])
		return all;
	/* Where one arm alone can have given the truth, control came along it. */
	for (u32 k = 0; k + 1 < ins->narg; k += 2) {
		Val x = ins_arg(w->ir, ins, k + 1);
		const Const *n = val_is_const(x) ? ir_const(w->ir, x) : NULL;
		if (n && n->kind == CONST_INT && (n->num != 0) != truth)
			continue;
		if (arm)
			return all;
		arm = k + 1;
	}
	if (!arm)
		return all;
	return range_meet(said(w, ins_arg(w->ir, ins, arm), truth, depth + 1),
			  behind(w, ins_arg(w->ir, ins, arm - 1), depth + 1));
}

/* What the branches say on the way to the end of block use. */
static Range
behind(const Within *w, BlockId use, u32 depth)
{
	Range r = range_all(w->width);

	for (BlockId b = use; b; b = w->c->dom.idom[b]) {
		const Block *bl = fn_block(w->ir, w->c->fn, b);
		const Ins *end = ir_ins(w->ir, bl->ins + bl->nins - 1);
		for (u32 k = 0; b != use && end->op == OP_CBR && k < 2; k++) {
			BlockId to = w->ir->succs.at[bl->succ + k];
			if (to != b && to != w->ir->succs.at[bl->succ + !k] &&
			    w->c->pred.first[to + 1] - w->c->pred.first[to] == 1 &&
			    cfg_dominates(w->c, to, use))
				r = range_meet(r, said(w, ins_arg(w->ir, end, 0), !k, depth + 1));
		}
	}
	return r;
}

/* What has been assumed on the way to `use`. */
static Range
assumed(const Within *w, InsId use)
{
	Range r = range_all(w->width);

	for (BlockId b = w->use; b; b = w->c->dom.idom[b]) {
		const Block *bl = fn_block(w->ir, w->c->fn, b);
		for (InsId i = bl->ins; i < bl->ins + bl->nins && (b != w->use || i < use); i++)
			if (ir_ins(w->ir, i)->op == OP_ASSUME)
				r = range_meet(
				    r, said(w, ins_arg(w->ir, ir_ins(w->ir, i), 0), true, 0));
	}
	return r;
}

/* Does any condition of the function compare v, or what it is converted to, with a constant?  Most
 * registers are asked about in vain. */
static bool
is_compared(Distinct *d, FnId f, Val v)
{
	const Fn *fn = &d->ir->fns.at[f];
	u32 *at = map_at(d->arena, &d->compared_of, f);
	Set *in;

	if (!*at) {
		vec_push(d->arena, &d->compared, (Set){0});
		*at = d->compared.n;
		in = &d->compared.at[*at - 1];
		for (InsId i = fn->ins; i < fn->ins + fn->nins; i++)
			for (u32 k = 0; ir_ins(d->ir, i)->op == OP_CMP && k < 2; k++) {
				Val x = ins_arg(d->ir, ir_ins(d->ir, i), k);
				for (u32 n = 0; n <= CASTS && val_is_reg(x); n++) {
					InsId def = fn_reg(d->ir, fn, x)->def;
					set_add(d->arena, in, x);
					if (!def || ir_ins(d->ir, def)->op != OP_CAST)
						break;
					x = ins_arg(d->ir, ir_ins(d->ir, def), 0);
				}
			}
	}
	return set_has(&d->compared.at[*at - 1], v);
}

Form
form_within(Distinct *d, InstId inst, Val v)
{
	const Fn *fn = pta_fn(d->p, inst);
	const Reg *reg = fn_reg(d->ir, fn, v);
	const Cfg *c =
	    d->use && d->use_inst == inst ? distinct_cfg(d, pta_inst(d->p, inst)->fn) : NULL;
	Within w = {d->ir, c, v, reg->width, 0};
	Range r;

	if (!d->small || !c || reg->rt != RT_INT || reg->width < 8 || reg->width > 64 ||
	    !is_compared(d, pta_inst(d->p, inst)->fn, v))
		return FORM_UNKNOWN;
	w.use = cfg_block_of(d->ir, c->fn, d->use);
	r = behind(&w, w.use, 0);
	if (d->assumes)
		r = range_meet(r, assumed(&w, d->use));
	if (range_empty(r) || r.lo < 0 || r.hi >= WIDEST)
		return FORM_UNKNOWN;
	return (Form){.kind = FORM_INT, .add = r.lo, .span = r.hi - r.lo};
}
