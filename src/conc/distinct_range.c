/* distinct_range.c - counters of the thread's own loops, and remainders.
 *
 * A counter that goes up from one form to another of the same scale lies
 * between them, where the loop has tested it and not left.  One that moves on
 * by more than one from a form keeps its remainder.  And a number that was
 * tested for its remainder has it where the test says so; what lies behind a
 * test that n has one value, one instance does alone. */
#include "conc/distinct_int.h"

#include "ir/arith.h"
#include "ir/induction.h"

/* ---- ranges -------------------------------------------------------------------------- */

const Cfg *
distinct_cfg(Distinct *d, FnId f)
{
	u32 *at = map_at(d->arena, &d->cfgs, f);
	Cfg *c;

	if (!*at) {
		c = arena_new(d->arena, Cfg);
		cfg_build(c, d->arena, d->ir, &d->ir->fns.at[f]);
		vec_push(d->arena, &d->cfg, c);
		*at = d->cfg.n;
	}
	return d->cfg.at[*at - 1];
}

/* What the loop's header tests: it goes on while `phi < bound` (or <=, or !=: who steps
 * over the bound leaves the array). */
static const Ins *
header_test(const Distinct *d, const Cfg *c, u32 loop, Val phi)
{
	const Block *h = &d->ir->blocks.at[c->fn->block + c->loops[loop].header - 1];
	const Ins *end = ir_ins(d->ir, h->ins + h->nins - 1), *cmp = NULL;
	Val v = end->op == OP_CBR ? ins_arg(d->ir, end, 0) : 0;
	InsId def;

	if (val_is_reg(v) && (def = fn_reg(d->ir, c->fn, v)->def))
		cmp = ir_ins(d->ir, def);
	if (!cmp || cmp->op != OP_CMP || !cfg_loop_has(c, loop, d->ir->succs.at[h->succ]) ||
	    cfg_loop_has(c, loop, d->ir->succs.at[h->succ + 1]) ||
	    (cmp->sub != CMP_SLT && cmp->sub != CMP_ULT && cmp->sub != CMP_SLE &&
	     cmp->sub != CMP_NE))
		return NULL;
	for (v = ins_arg(d->ir, cmp, 0); v != phi;) {
		def = val_is_reg(v) ? fn_reg(d->ir, c->fn, v)->def : 0;
		if (!def || ir_ins(d->ir, def)->op != OP_CAST ||
		    (ir_ins(d->ir, def)->sub != CAST_SEXT && ir_ins(d->ir, def)->sub != CAST_ZEXT))
			return NULL;
		v = ins_arg(d->ir, ir_ins(d->ir, def), 0);
	}
	return cmp;
}

/* Is the access in the loop, behind the test in its header? */
static bool
used_behind_test(const Distinct *d, const Cfg *c, u32 loop)
{
	BlockId b = cfg_block_of(d->ir, c->fn, d->use);

	return b != c->loops[loop].header && cfg_loop_has(c, loop, b);
}

typedef struct Side {
	ThreadId t;
	InstId inst;
} Side;

static Form
thread_side(Distinct *d, const void *side, Val v, u32 depth)
{
	const Side *s = side;

	return form_eval(d, s->t, s->inst, v, depth);
}

/* The lesser of two bounds: the one that is of the same n as a ticket. */
static Form
form_least(Distinct *d, ThreadId t, InstId inst, const Cfg *c, Val v, const Form *ticket, u32 depth)
{
	Side side = {t, inst};
	Form x, y;

	if (!form_least_of(d, c, v, thread_side, &side, depth, &x, &y))
		return FORM_UNKNOWN;
	return x.of == ticket->of && x.var == ticket->var ? x : y;
}

/* What is no greater than the greater of two numbers: that of both which is not alike in all
 * threads. */
static Form
form_most(Distinct *d, ThreadId t, InstId inst, const Cfg *c, Val v, u32 depth)
{
	Side side = {t, inst};
	Form x, y;

	if (!form_most_of(d, c, v, thread_side, &side, depth, &x, &y))
		return FORM_UNKNOWN;
	return form_constant(&x) ? y : x;
}

/* From where to where a counter goes; test: null, or the header's. */
typedef struct Ends {
	const Ins *test;
	Val from, to;
	InsId at; /* where they are known; 0: at the access */
} Ends;

/* Do the constants x and y leave no round to a loop that goes on while the test holds? */
static bool
leaves_none(const Distinct *d, const Ins *test, Val x, Val y)
{
	const Const *a = val_is_const(x) ? ir_const(d->ir, x) : NULL;
	const Const *b = val_is_const(y) ? ir_const(d->ir, y) : NULL;

	return a && b && a->kind == CONST_INT && b->kind == CONST_INT && a->num >= 0 &&
	       b->num >= 0 && a->num <= INT32_MAX && b->num <= INT32_MAX &&
	       !arith_compare(test->sub, (u64)a->num, (u64)b->num, 64);
}

/* Where both ends were chosen together, and all choices but one leave the loop no round, they are
 * those of that one: `from = to = 0; if (next < n) to = (from = next) + 10;`. */
static void
choose_ends(const Distinct *d, const Cfg *c, Ends *e)
{
	InsId x = val_is_reg(e->from) ? fn_reg(d->ir, c->fn, e->from)->def : 0;
	InsId y = val_is_reg(e->to) ? fn_reg(d->ir, c->fn, e->to)->def : 0;
	const Ins *from = x ? ir_ins(d->ir, x) : NULL, *to = y ? ir_ins(d->ir, y) : NULL;
	u32 found = 0;

	if (!e->test || !from || !to || from->op != OP_PHI || to->op != OP_PHI ||
	    cfg_block_of(d->ir, c->fn, x) != cfg_block_of(d->ir, c->fn, y))
		return;
	for (u32 k = 0; k < from->narg; k += 2) {
		if (ins_arg(d->ir, from, k) != ins_arg(d->ir, to, k))
			return;
		if (leaves_none(d, e->test, ins_arg(d->ir, from, k + 1), ins_arg(d->ir, to, k + 1)))
			continue;
		if (found)
			return;
		found = k + 1;
	}
	if (found) {
		const Block *b = fn_block(d->ir, c->fn, ins_arg(d->ir, from, found - 1));
		e->from = ins_arg(d->ir, from, found);
		e->to = ins_arg(d->ir, to, found);
		e->at = b->ins + b->nins - 1;
	}
}

static Ends
ends_of(const Distinct *d, const Cfg *c, u32 loop, const Iv *iv)
{
	Ends e = {.from = iv->init};

	if (iv->step > 0 && used_behind_test(d, c, loop))
		e.test = header_test(d, c, loop, iv->phi);
	e.to = e.test ? ins_arg(d->ir, e.test, 1) : 0;
	choose_ends(d, c, &e);
	return e;
}

static Form
end_form(Distinct *d, ThreadId t, InstId inst, const Ends *e, Val v, u32 depth)
{
	InsId use = d->use;
	Form f;

	d->use = e->at ? e->at : use;
	f = form_eval(d, t, inst, v, depth + 1);
	d->use = use;
	return f;
}

/* Between its first value and the bound that its loop tests. */
static Form
between(Distinct *d, ThreadId t, InstId inst, const Cfg *c, const Ends *e, const Iv *iv, Form from,
	u32 base, u32 depth)
{
	const Ins *test = e->test;
	bool exact = !from.span;
	Form to;

	if (!test || (test->sub == CMP_NE && iv->step != 1 && !iv->address))
		return FORM_UNKNOWN;
	to = end_form(d, t, inst, e, e->to, depth);
	if (to.kind == FORM_NONE && from.of == OF_TICKET)
		to = form_least(d, t, inst, c, e->to, &from, depth);
	if (iv->address)
		to = form_units(to, base, iv->step);
	if (to.kind == FORM_UNSET)
		return to;
	/* A start that is itself one of a range is no less than its least. */
	if (to.kind != FORM_INT || from.scale != to.scale || to.span || from.mod || to.mod ||
	    from.of != to.of || from.var != to.var || from.of > OF_TICKET || to.add < from.add)
		return share_between(d, from, test->sub == CMP_SLE ? form_shift(to, 1) : to);
	from.span = MAX(to.add - from.add - (test->sub != CMP_SLE), 0);
	from.grain = from.span && exact && !iv->address ? iv->step : 0;
	return from;
}

Form
form_phi(Distinct *d, ThreadId t, InstId inst, InsId phi, u32 depth)
{
	const Cfg *c =
	    d->use && d->use_inst == inst ? distinct_cfg(d, d->p->insts.at[inst].fn) : NULL;
	u32 loop = c ? c->loop_of[cfg_block_of(d->ir, c->fn, phi)] : 0;
	Iv iv;
	Form from, range;
	i64 step;
	u32 base;
	Side side = {t, inst};
	Ends ends;

	if (c && (!loop || c->loops[loop].header != cfg_block_of(d->ir, c->fn, phi)))
		return form_choice(d, d->makers[t], c, phi, thread_side, &side, depth);
	if (!loop || c->loops[loop].irreducible)
		return FORM_UNKNOWN;
	if (!loop_iv(c, loop, ir_ins(d->ir, phi)->dst, &iv))
		return form_strided(d, t, inst, c, loop, phi, depth);
	ends = ends_of(d, c, loop, &iv);
	from = end_form(d, t, inst, &ends, ends.from, depth);
	if (from.kind == FORM_NONE && iv.step == 1 && !iv.address)
		from = form_most(d, t, inst, c, ends.from, depth);
	base = from.base;
	if (iv.address)
		from = form_units(from, base, iv.step);
	if (from.kind != FORM_INT)
		return from.kind == FORM_UNSET ? from : FORM_UNKNOWN;
	range = between(d, t, inst, c, &ends, &iv, from, base, depth);
	if (iv.address)
		return range.kind == FORM_INT ? form_behind(d, base, range, iv.step) : range;
	step = iv.step < 0 ? -iv.step : iv.step;
	if (range.kind != FORM_NONE || from.of || from.mod % step || step > 1 << 30)
		return range;
	from.mod = step;
	return from;
}

Form
form_select(Distinct *d, ThreadId t, InstId inst, InsId select, u32 depth)
{
	Side side = {t, inst};

	return form_choice(d, d->makers[t], distinct_cfg(d, d->p->insts.at[inst].fn), select,
			   thread_side, &side, depth);
}

/* ---- remainders --------------------------------------------------------------------- */

/* v mod *m, for a constant *m, as the program writes it: v itself, or 0. */
static Val
remainder_of(const Distinct *d, const Fn *fn, Val v, i64 *m)
{
	for (u32 steps = 0; val_is_reg(v) && steps < 4; steps++) {
		InsId def = fn_reg(d->ir, fn, v)->def;
		const Ins *ins = def ? ir_ins(d->ir, def) : NULL;
		Val k = ins && ins->narg == 2 ? ins_arg(d->ir, ins, 1) : 0;
		if (ins && ins->op == OP_CAST && ins->sub != CAST_FLOAT && ins->sub != CAST_TRUNC) {
			v = ins_arg(d->ir, ins, 0);
			continue;
		}
		if (!ins || ins->op != OP_BIN || !val_is_const(k) ||
		    ir_const(d->ir, k)->kind != CONST_INT)
			return 0;
		*m = ir_const(d->ir, k)->num + (ins->sub == BIN_AND);
		if (*m <= 0 || *m > 1 << 30 ||
		    (ins->sub == BIN_AND ? *m & (*m - 1)
					 : ins->sub != BIN_SREM && ins->sub != BIN_UREM))
			return 0;
		return ins_arg(d->ir, ins, 0);
	}
	return 0;
}

/* Does control come to the access through the edge from b to block `to` alone? */
static bool
comes_by(const Cfg *c, BlockId b, BlockId to, BlockId use)
{
	return to != b && c->pred.first[to + 1] - c->pred.first[to] == 1 &&
	       cfg_dominates(c, to, use);
}

/* Two values that must have been equal for control to come from block b to the access, by the
 * comparison at its end. */
static bool
equal_compared(const Distinct *d, const Cfg *c, BlockId b, BlockId use, Val same[2])
{
	const Block *bl = fn_block(d->ir, c->fn, b);
	Val v = ins_arg(d->ir, ir_ins(d->ir, bl->ins + bl->nins - 1), 0);
	InsId def = val_is_reg(v) ? fn_reg(d->ir, c->fn, v)->def : 0;
	const Ins *cmp = def ? ir_ins(d->ir, def) : NULL;

	if (!cmp || cmp->op != OP_CMP || (cmp->sub != CMP_EQ && cmp->sub != CMP_NE) ||
	    !comes_by(c, b, d->ir->succs.at[bl->succ + (cmp->sub == CMP_NE)], use))
		return false;
	same[0] = ins_arg(d->ir, cmp, 0);
	same[1] = ins_arg(d->ir, cmp, 1);
	return true;
}

/* The same by the one case of a switch that leads there. */
static bool
equal_case(const Distinct *d, const Cfg *c, BlockId b, BlockId use, Val same[2])
{
	const Block *bl = fn_block(d->ir, c->fn, b);
	const Ins *end = ir_ins(d->ir, bl->ins + bl->nins - 1);
	const BlockId *to = &d->ir->succs.at[bl->succ];
	u32 found = 0;

	for (u32 k = 1; k < end->narg && !found; k++)
		if (comes_by(c, b, to[k], use))
			found = k;
	for (u32 k = 0; k < end->narg; k++)
		if (!found || (k != found && to[k] == to[found]))
			return false;
	same[0] = ins_arg(d->ir, end, 0);
	same[1] = ins_arg(d->ir, end, found);
	return true;
}

/* Either, if the end of b is such. */
static bool
equal_before(const Distinct *d, const Cfg *c, BlockId b, BlockId use, Val same[2])
{
	const Block *bl = fn_block(d->ir, c->fn, b);

	switch ((Op)ir_ins(d->ir, bl->ins + bl->nins - 1)->op) {
	case OP_CBR: return equal_compared(d, c, b, use, same);
	case OP_SWITCH: return equal_case(d, c, b, use, same);
	default: return false;
	}
}

/* The first block that tells counts; only those that dominate the access can. */
Form
form_residue(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth)
{
	const Cfg *c =
	    d->use && d->use_inst == inst ? distinct_cfg(d, d->p->insts.at[inst].fn) : NULL;
	BlockId use = c ? cfg_block_of(d->ir, c->fn, d->use) : 0, first = 0;
	Form found = FORM_UNKNOWN;

	for (BlockId b = use; b; b = c->dom.idom[b]) {
		Val same[2];
		bool tells = c->rank[b] && equal_before(d, c, b, use, same);
		for (u32 k = 0; tells && k < 2 && (!first || b < first); k++) {
			i64 m = 0;
			Form f;
			if (remainder_of(d, c->fn, same[k], &m) != v)
				continue;
			f = form_eval(d, t, inst, same[!k], depth + 1);
			if (f.kind != FORM_INT || f.span || f.mod || f.of)
				continue;
			f.mod = m;
			found = f;
			first = b;
		}
	}
	return found;
}

/* ---- what one instance does alone --------------------------------------------------- */

/* The condition, as a term that is 0, that only one instance meets and that ins of inst lies
 * behind; 0 none. */
static TermId
alone_behind(Distinct *d, ThreadId t, InstId inst, InsId ins)
{
	const Cfg *c = distinct_cfg(d, d->p->insts.at[inst].fn);
	BlockId use = cfg_block_of(d->ir, c->fn, ins);

	d->use_inst = inst;
	d->use = ins;
	for (BlockId b = c->dom.idom[use]; b; b = c->dom.idom[b]) {
		Val same[2];
		bool tells = c->rank[b] && equal_before(d, c, b, use, same);
		Form x = tells ? form_eval(d, t, inst, same[0], 0) : FORM_UNKNOWN;
		Form y = tells ? form_eval(d, t, inst, same[1], 0) : FORM_UNKNOWN;
		TermId diff = term_add(&d->terms, form_term(d, &x), form_term(d, &y), -1);
		i64 scale;
		if (diff && term_linear(&d->terms, diff, &scale) && scale)
			return scale > 0 ? diff
					 : term_add(&d->terms, term_int(&d->terms, 0), diff, -1);
	}
	return 0;
}

TermId
form_alone(Distinct *d, ThreadId t, InstId inst, InsId ins)
{
	const Maker *m = d->makers[t];
	InsId use = d->use;
	TermId found = 0;

	if (!m || !m->counter || !d->small)
		return 0;
	for (u32 depth = 0; depth < 4 && !found; depth++) {
		const Edge *e = only_call(d, inst);
		found = alone_behind(d, t, inst, ins);
		if (!e)
			break;
		inst = e->from;
		ins = e->ins;
	}
	d->use = use;
	return found;
}
