/* distinct_test.c - numbers that are of a form where a test says so.
 *
 *	lock(m); id = next < n ? next++ : -1; unlock(m);
 *	if (id >= 0) use(a[id]);
 *
 * A value that is one of several, constants and others of one form, is of that
 * form behind a test that none of the constants passes.  Values are followed
 * through phis and to what the only function returns that a call runs; a
 * bounded number of steps, so this ends. */
#include "conc/distinct_int.h"

#include "ir/arith.h"

enum { TESTS = 4, STEPS = 5 };

typedef struct Test {
	CmpPred pred;
	u16 width;
	bool truth;
	u64 k;
} Test;

typedef struct Tests {
	u32 n;
	Test at[TESTS];
} Tests;

/* The value that v is but for its width. */
static Val
widened_from(const Distinct *d, const Fn *fn, Val v)
{
	InsId def = val_is_reg(v) ? fn_reg(d->ir, fn, v)->def : 0;
	const Ins *ins = def ? ir_ins(d->ir, def) : NULL;

	return ins && (ins->op == OP_COPY ||
		       (ins->op == OP_CAST && (ins->sub == CAST_SEXT || ins->sub == CAST_ZEXT)))
		   ? widened_from(d, fn, ins_arg(d->ir, ins, 0))
		   : v;
}

/* The number of a constant; false: it is none. */
static bool
number_of(const Ir *ir, Val v, u64 *out)
{
	const Const *c = val_is_const(v) ? ir_const(ir, v) : NULL;

	if (!c || (c->kind != CONST_INT && c->kind != CONST_NULL))
		return false;
	*out = c->kind == CONST_INT ? (u64)c->num : 0;
	return true;
}

/* Adds what the end of block b, on the way to the access, says of v. */
static void
add_test(const Distinct *d, const Cfg *c, BlockId b, BlockId use, Val v, Tests *out)
{
	const Block *bl = fn_block(d->ir, c->fn, b);
	const Ins *end = ir_ins(d->ir, bl->ins + bl->nins - 1), *cmp;
	Val cond = end->op == OP_CBR ? ins_arg(d->ir, end, 0) : 0;
	InsId def = val_is_reg(cond) ? fn_reg(d->ir, c->fn, cond)->def : 0;
	u64 k;

	cmp = def ? ir_ins(d->ir, def) : NULL;
	if (!cmp || cmp->op != OP_CMP || out->n == TESTS ||
	    widened_from(d, c->fn, ins_arg(d->ir, cmp, 0)) != v ||
	    !number_of(d->ir, ins_arg(d->ir, cmp, 1), &k))
		return;
	for (u32 way = 0; way < 2; way++) {
		BlockId to = d->ir->succs.at[bl->succ + way];
		if (c->pred.first[to + 1] - c->pred.first[to] == 1 && cfg_dominates(c, to, use))
			out->at[out->n++] = (Test){cmp->sub, cmp->width, way == 0, k};
	}
}

static bool
passes(const Tests *ts, u64 k)
{
	for (u32 i = 0; i < ts->n; i++) {
		const Test *t = &ts->at[i];
		u16 width = t->width ? t->width : 64;
		if (arith_compare(t->pred, arith_mask(k, width), arith_mask(t->k, width), width) !=
		    t->truth)
			return false;
	}
	return true;
}

static Form
meet(Form x, Form y)
{
	return x.kind == FORM_UNSET                      ? y
	       : y.kind == FORM_UNSET || form_same(x, y) ? x
							 : FORM_UNKNOWN;
}

static Form form_passing(Distinct *d, ThreadId t, InstId inst, Val v, const Tests *ts, u32 steps,
			 u32 depth);

/* What v is when control is at ins. */
static Form
form_passing_at(Distinct *d, ThreadId t, InstId inst, InsId ins, Val v, const Tests *ts, u32 steps,
		u32 depth)
{
	InstId use_inst = d->use_inst;
	InsId use = d->use;
	Form f;

	d->use_inst = inst;
	d->use = ins;
	f = form_passing(d, t, inst, v, ts, steps, depth);
	d->use_inst = use_inst;
	d->use = use;
	return f;
}

static Form
returned(Distinct *d, ThreadId t, InstId inst, InsId call, const Tests *ts, u32 steps, u32 depth)
{
	u32 n;
	const Edge *e = pta_targets(d->p, inst, call, &n);
	const Fn *fn = n == 1 && !e->fork ? pta_fn(d->p, e->to) : NULL;
	Form f = {0};

	if (!fn)
		return FORM_UNKNOWN;
	for (BlockId b = 1; b <= fn->nblock && f.kind != FORM_NONE; b++) {
		const Block *bl = fn_block(d->ir, fn, b);
		InsId end = bl->ins + bl->nins - 1;
		const Ins *ret = ir_ins(d->ir, end);
		if (ret->op == OP_RET && !ret->narg)
			return FORM_UNKNOWN;
		if (ret->op == OP_RET)
			f = meet(f, form_passing_at(d, t, e->to, end, ins_arg(d->ir, ret, 0), ts,
						    steps - 1, depth + 1));
	}
	return f.kind == FORM_UNSET ? FORM_UNKNOWN : f;
}

/* What v is if it passes the tests; unset where it never does. */
static Form
form_passing(Distinct *d, ThreadId t, InstId inst, Val v, const Tests *ts, u32 steps, u32 depth)
{
	const Fn *fn = pta_fn(d->p, inst);
	InsId def = val_is_reg(v) ? fn_reg(d->ir, fn, v)->def : 0;
	const Ins *ins = def ? ir_ins(d->ir, def) : NULL;
	Form f = {0};
	u64 k;

	if (number_of(d->ir, v, &k) && !passes(ts, k))
		return f;
	if (ins && steps && ins->op == OP_CALL)
		return returned(d, t, inst, def, ts, steps, depth);
	if (!ins || !steps || ins->op != OP_PHI)
		return form_eval(d, t, inst, v, depth + 1);
	for (u32 i = 0; i < ins->narg && f.kind != FORM_NONE; i += 2) {
		const Block *from = fn_block(d->ir, fn, ins_arg(d->ir, ins, i));
		if (ins_arg(d->ir, ins, i + 1) != v)
			f = meet(f, form_passing_at(d, t, inst, from->ins + from->nins - 1,
						    ins_arg(d->ir, ins, i + 1), ts, steps - 1,
						    depth + 1));
	}
	return f;
}

Form
form_tested(Distinct *d, ThreadId t, InstId inst, Val v, u32 depth)
{
	const Cfg *c =
	    d->use && d->use_inst == inst ? distinct_cfg(d, d->p->insts.at[inst].fn) : NULL;
	BlockId use = c ? cfg_block_of(d->ir, c->fn, d->use) : 0;
	Tests ts = {0};
	Form f;

	if (!d->small || d->tests)
		return FORM_UNKNOWN;
	for (BlockId b = use; b; b = c->dom.idom[b])
		if (c->rank[b] && b != use)
			add_test(d, c, b, use, v, &ts);
	d->tests++;
	f = form_passing(d, t, inst, v, &ts, STEPS, depth);
	d->tests--;
	return f.kind == FORM_UNSET ? FORM_UNKNOWN : f;
}
