/* distinct_form.c - arithmetic on forms, and what values are in the creator and
 * in the functions that it calls. */
#include "conc/distinct_int.h"

#include "ir/arith.h"

enum { MAX_CHOICES = 4 }; /* within each other */

/* ---- arithmetic ------------------------------------------------------------- */

bool
form_same(Form x, Form y)
{
	return x.kind == y.kind && x.base == y.base && x.scale == y.scale && x.add == y.add &&
	       x.of == y.of && x.var == y.var && x.span == y.span && x.grain == y.grain &&
	       x.mod == y.mod;
}

Form
form_shift(Form f, i64 by)
{
	if (f.kind != FORM_NONE && f.kind != FORM_UNSET)
		f.add += by;
	return f;
}

TermId
form_term(Distinct *d, const Form *f)
{
	TermId x;

	if (f->kind != FORM_INT || !form_exact(f))
		return 0;
	x = f->of == OF_TERM ? f->var : term_number(&d->terms);
	return term_add(&d->terms, term_int(&d->terms, f->add), x, f->scale);
}

Form
form_of_term(Distinct *d, TermId x)
{
	Form f = {.kind = FORM_INT};

	if (!x)
		return FORM_UNKNOWN;
	if (term_plain(&d->terms, x, &f.scale, &f.add))
		return f;
	return (Form){.kind = FORM_INT, .scale = 1, .of = OF_TERM, .var = x};
}

/* What all values of both are multiples of, but for their first. */
static i64
common(const Form *x, const Form *y)
{
	i64 a = x->span ? x->grain : y->grain, b = y->span ? y->grain : x->grain;

	if ((x->span && !x->grain) || (y->span && !y->grain))
		return 0;
	while (b) {
		i64 r = a % b;
		a = b;
		b = r;
	}
	return a;
}

/* x + y, where at most x tells instances apart. */
static Form
sum(Form x, Form y)
{
	if (x.kind != FORM_INT || y.kind != FORM_INT || y.scale ||
	    (x.mod && y.mod && x.mod != y.mod))
		return FORM_UNKNOWN;
	x.grain = common(&x, &y);
	x.add += y.add;
	x.span += y.span;
	x.mod = x.mod ? x.mod : y.mod;
	return x;
}

/* x * k.  A range that is the same for all instances becomes a remainder. */
static Form
product(Form x, i64 k)
{
	if (x.kind != FORM_INT || k < 0 || k > 1 << 30)
		return FORM_UNKNOWN;
	if (!x.scale && x.span && !x.mod && k > 1)
		return (Form){.kind = FORM_INT, .add = x.add * k, .mod = k};
	x.scale *= k;
	x.add *= k;
	x.span *= k;
	x.grain = x.span ? (x.grain ? x.grain : 1) * k : 0;
	x.mod *= k;
	return x;
}

static Form
of_constants(const Ins *ins, Form x, Form y)
{
	u64 a = arith_mask((u64)x.add, ins->width), b = arith_mask((u64)y.add, ins->width);

	if (ins->sub == BIN_FLOAT || (arith_is_division(ins->sub) && !b))
		return FORM_UNKNOWN;
	a = arith_is_division(ins->sub) ? arith_divide(ins->sub, a, b, ins->width)
					: arith_combine(ins->sub, a, b, ins->width);
	return (Form){.kind = FORM_INT, .add = arith_extend(a, ins->width)};
}

/* Constants in x and y are small numbers here: y is one, or no operand is. */
static Form
with_constant(const Ins *ins, Form x, Form y)
{
	if (ins->sub == BIN_ADD)
		return x.kind == FORM_INT  ? sum(x, y)
		       : form_constant(&y) ? form_shift(x, y.add)
					   : FORM_UNKNOWN;
	if (!form_constant(&y))
		return FORM_UNKNOWN;
	if (ins->sub == BIN_SUB)
		return form_shift(x, -y.add);
	if (ins->sub == BIN_SHL && y.add >= 0 && y.add <= 30)
		return product(x, (i64)1 << y.add);
	return ins->sub == BIN_MUL ? product(x, y.add) : FORM_UNKNOWN;
}

Form
form_combine(Distinct *d, const Ins *ins, Form x, Form y)
{
	Form f;

	if (x.kind == FORM_UNSET || y.kind == FORM_UNSET)
		return (Form){0};
	if (form_constant(&x) && form_constant(&y))
		return of_constants(ins, x, y);
	if ((ins->sub == BIN_ADD && y.scale) || (ins->sub == BIN_MUL && form_constant(&x))) {
		Form t = x;
		x = y;
		y = t;
	}
	f = x.of == OF_TERM || y.of == OF_TERM ? FORM_UNKNOWN : with_constant(ins, x, y);
	if (f.kind == FORM_NONE)
		f = form_of_term(d,
				 term_bin(&d->terms, ins->sub, form_term(d, &x), form_term(d, &y)));
	if (f.kind == FORM_NONE && ins->sub == BIN_ADD)
		f = share_sum(d, x, y);
	if (f.kind == FORM_NONE && ins->sub == BIN_MUL)
		f = share_product(d, x, y);
	return f;
}

/* base + index * stride, both of one number. */
static Form
exact_element(Distinct *d, Form base, Form index, i64 stride)
{
	Form f = base;

	f.kind = FORM_INT;
	f.add = 0;
	if (stride <= 0 || base.scale % stride)
		return FORM_UNKNOWN;
	f.scale /= stride;
	f = form_of_term(d, term_add(&d->terms, form_term(d, &f), form_term(d, &index), 1));
	if (f.kind != FORM_INT)
		return f;
	base.scale = f.scale * stride;
	base.of = f.of;
	base.var = f.var;
	return form_shift(base, f.add * stride);
}

static Form
element(Distinct *d, Form base, Form index, i64 stride)
{
	if (index.kind != FORM_INT || (base.kind != FORM_ADDR && base.kind != FORM_OWN))
		return FORM_UNKNOWN;
	if (index.scale && base.kind == FORM_ADDR && base.scale)
		return form_exact(&base) && form_exact(&index)
			   ? exact_element(d, base, index, stride)
			   : FORM_UNKNOWN;
	if (index.scale && base.kind == FORM_OWN)
		return FORM_UNKNOWN;
	if ((index.span || index.mod) &&
	    (stride < 0 || index.span > 1 << 30 || index.mod > 1 << 30 || stride > 1 << 30 ||
	     (index.mod && base.mod)))
		return FORM_UNKNOWN;
	base.scale += index.scale * stride;
	index.grain = index.span ? (index.grain ? index.grain : 1) * stride : 0;
	base.grain = common(&base, &index);
	base.span += index.span * stride;
	base.mod += index.mod * stride;
	if (index.scale) {
		base.of = index.of;
		base.var = index.var;
	}
	return form_shift(base, index.add * stride);
}

/* Whatever the index is: it is one of the array's, if how many it has is known. */
static Form
any_element(const Distinct *d, const Ins *ins)
{
	const Type *t = ins->aux ? &d->ir->types.at[ins->aux] : NULL;

	if (!t || t->kind != TYPE_ARRAY || t->count < 2 || t->count > 1 << 30)
		return FORM_UNKNOWN;
	return (Form){.kind = FORM_INT, .span = (i64)t->count - 1};
}

Form
form_element(Distinct *d, const Ins *ins, Form base, Form index)
{
	Form f;

	if (base.kind == FORM_UNSET || index.kind == FORM_UNSET)
		return (Form){0};
	f = element(d, base, index, ins->imm);
	if (f.kind == FORM_NONE && base.kind == FORM_ADDR && base.scale == ins->imm &&
	    index.kind == FORM_INT) {
		Form number = {.kind = FORM_INT, .scale = 1, .of = base.of, .var = base.var};
		number = base.span || base.mod ? FORM_UNKNOWN : share_sum(d, number, index);
		f = number.kind == FORM_INT && number.of ? base : FORM_UNKNOWN;
		f.of = number.of;
		f.var = number.var;
	}
	if (f.kind == FORM_NONE && base.kind == FORM_ADDR && base.scale)
		f = element(d, base, any_element(d, ins), ins->imm);
	if (f.kind == FORM_NONE && base.kind == FORM_ADDR && !base.span && !base.mod &&
	    any_element(d, ins).kind == FORM_INT) {
		f = base; /* one of the rows, whichever */
		f.mod = ins->imm;
	}
	if (f.kind == FORM_ADDR && !base.scale && f.scale && base.mod &&
	    ins->imm * (any_element(d, ins).span + 1) == base.mod)
		f.turn = true;
	if (f.kind == FORM_NONE && base.kind == FORM_OWN) {
		f = base;
		f.span = OWN_SOMEWHERE;
	}
	return f;
}

Form
form_units(Form at, u32 base, i64 unit)
{
	if (at.kind == FORM_UNSET)
		return at;
	if (at.kind != FORM_ADDR || at.base != base || at.span || at.mod || at.scale % unit ||
	    at.add % unit)
		return FORM_UNKNOWN;
	at.kind = FORM_INT;
	at.base = 0;
	at.scale /= unit;
	at.add /= unit;
	return at;
}

Form
form_behind(Distinct *d, u32 base, Form units, i64 unit)
{
	return element(d, (Form){.kind = FORM_ADDR, .base = base}, units, unit);
}

/* ---- certain places ----------------------------------------------------------- */

Form
form_place(const Distinct *d, InstId inst, Val v)
{
	const Set *pts = pta_pts(d->p, inst, v);
	SlotId s = set_single(pts) ? set_first(pts) : 0;

	if (!s || !pta_slot_exact(d->p, s) || !threads_single(d->t, pta_slot(d->p, s)->obj) ||
	    pta_is_thread(pta_obj(d->p, pta_slot(d->p, s)->obj)))
		return FORM_UNKNOWN;
	return (Form){.kind = FORM_ADDR, .base = s};
}

Form
form_const(const Distinct *d, InstId inst, Val v)
{
	const Const *c = ir_const(d->ir, v);

	if (c->kind == CONST_INT || c->kind == CONST_NULL)
		return (Form){.kind = FORM_INT, .add = c->kind == CONST_INT ? c->num : 0};
	return c->kind == CONST_GLOBAL ? form_place(d, inst, v) : FORM_UNKNOWN;
}

Form
form_cast(const Ins *ins, Form f)
{
	return ins->sub == CAST_FLOAT || (ins->sub == CAST_TRUNC && ins->width < 32) ? FORM_UNKNOWN
										     : f;
}

/* ---- the creator's side --------------------------------------------------------- */

bool
before_fork(const Maker *m, InsId ins)
{
	BlockId b = cfg_block_of(m->cfg->ir, m->cfg->fn, ins);
	BlockId f = cfg_block_of(m->cfg->ir, m->cfg->fn, m->fork);

	if (m->loop && !cfg_loop_has(m->cfg, m->loop, b))
		return false;
	return (b == f ? ins < m->fork : cfg_dominates(m->cfg, b, f));
}

/* Does the call give a new object, or null, whatever it runs? */
static bool
gives_new(const Distinct *d, InstId inst, InsId call)
{
	u32 n;
	const Edge *e = pta_targets(d->p, inst, call, &n);

	for (u32 i = 0; i < n; i++)
		if (!fresh_returns(d->fresh, e[i].to))
			return false;
	return n > 0;
}

/* Does each round make a new object, before the fork, and keep it in v? */
static bool
made_in_round(Distinct *d, const Maker *m, Val v, const Ins *def)
{
	BlockId b = cfg_block_of(d->ir, m->cfg->fn, fn_reg(d->ir, m->cfg->fn, v)->def);

	if (m->cfg->loop_of[b] != m->loop || !before_fork(m, fn_reg(d->ir, m->cfg->fn, v)->def))
		return false;
	if (def->op == OP_ALLOC)
		return def->sub != ALLOC_STACK;
	return def->op == OP_CALL && gives_new(d, m->inst, fn_reg(d->ir, m->cfg->fn, v)->def);
}

/* A number that the loop does not compute is the same for all that it forks. */
static Form
form_fixed(Distinct *d, const Maker *m, Val v)
{
	const Reg *r = fn_reg(d->ir, m->cfg->fn, v);

	if (!m->counter || r->rt != RT_INT ||
	    (r->def && cfg_loop_has(m->cfg, m->loop, cfg_block_of(d->ir, m->cfg->fn, r->def))))
		return FORM_UNKNOWN;
	return form_of_term(d, term_reg(&d->terms, m->inst, v));
}

static Form
creator_side(Distinct *d, const void *side, Val v, u32 depth)
{
	return form_creator(d, side, v, depth);
}

static Form
creator_load(Distinct *d, const Maker *m, InsId load, u32 depth)
{
	const Ins *ins = ir_ins(d->ir, load);
	Form at = form_creator(d, m, ins_arg(d->ir, ins, 0), depth + 1);
	Form f = form_never_written(d, ins, at);

	if (f.kind == FORM_NONE && m->joined)
		f = form_returned(d, m, load, at);
	if (f.kind == FORM_NONE)
		f = form_stored(d, m, load, at);
	return f.kind == FORM_NONE ? form_steady_creator(d, m, load, at) : f;
}

static Form
creator_ins(Distinct *d, const Maker *m, InsId id, u32 depth)
{
	const Ins *def = ir_ins(d->ir, id);
	Val a0 = def->narg ? ins_arg(d->ir, def, 0) : 0;
	Form f, g;

	switch (def->op) {
	case OP_COPY: return form_creator(d, m, a0, depth + 1);
	case OP_CAST: return form_cast(def, form_creator(d, m, a0, depth + 1));
	case OP_FIELD: return form_shift(form_creator(d, m, a0, depth + 1), def->imm);
	case OP_INDEX:
		f = form_creator(d, m, a0, depth + 1);
		g = form_creator(d, m, ins_arg(d->ir, def, 1), depth + 1);
		return form_element(d, def, f, g);
	case OP_BIN:
		f = form_creator(d, m, a0, depth + 1);
		g = form_creator(d, m, ins_arg(d->ir, def, 1), depth + 1);
		return form_bin(d, m, def, f, g);
	case OP_LOAD: return creator_load(d, m, id, depth);
	case OP_PHI:
		f = form_running(d, m, id, depth);
		if (f.kind != FORM_NONE)
			return f;
		/* fallthrough */
	case OP_SELECT: return form_choice(d, m, m->cfg, id, creator_side, m, depth);
	default: return FORM_UNKNOWN;
	}
}

Form
form_creator(Distinct *d, const Maker *m, Val v, u32 depth)
{
	InsId def;
	Form f = FORM_UNKNOWN;

	if (val_is_const(v))
		return form_const(d, m->inst, v);
	if (!v || depth > 12)
		return FORM_UNKNOWN;
	if (v == m->counter && m->first)
		return element(d, form_creator(d, m, m->first, depth + 1),
			       (Form){.kind = FORM_INT, .scale = 1}, m->step);
	if (v == m->counter)
		return (Form){.kind = FORM_INT, .scale = 1};
	def = fn_reg(d->ir, m->cfg->fn, v)->def;
	if (def && made_in_round(d, m, v, ir_ins(d->ir, def))) {
		/* Of a single round's, it is also known how far into it an access is. */
		if (!m->loop)
			f = form_place(d, m->inst, v);
		return f.kind == FORM_ADDR ? f : (Form){.kind = FORM_OWN, .base = v};
	}
	if (def)
		f = creator_ins(d, m, def, depth);
	if (f.kind == FORM_NONE)
		f = form_place(d, m->inst, v);
	return f.kind == FORM_NONE ? form_fixed(d, m, v) : f;
}

/* ---- in the functions that the creator calls ---------------------------------------- */

const Edge *
only_call(const Distinct *d, InstId inst)
{
	const Inst *in = pta_inst(d->p, inst);
	const Edge *e = in->ncaller == 1 ? &d->p->edges.at[d->p->callers.at[in->caller]] : NULL;
	const Ins *call = e ? ir_ins(d->ir, e->ins) : NULL;

	return e && !e->fork && call->op == OP_CALL &&
		       (call->sub == CALL_PLAIN || call->sub == CALL_VIRTUAL)
		   ? e
		   : NULL;
}

/* Does ins of inst, if at all, run once in each round? */
static bool
once_a_round(Distinct *d, const Maker *m, InstId inst, InsId ins)
{
	for (u32 depth = 0; depth < 6; depth++) {
		const Cfg *cfg =
		    inst == m->inst ? m->cfg : distinct_cfg(d, pta_inst(d->p, inst)->fn);
		BlockId b = cfg_block_of(d->ir, cfg->fn, ins);
		const Edge *e;
		if (inst == m->inst && m->loop)
			return cfg->loop_of[b] == m->loop;
		if (cfg_in_cycle(cfg, b))
			return false;
		if (inst == m->inst)
			return true;
		e = only_call(d, inst);
		if (!e)
			return false;
		inst = e->from;
		ins = e->ins;
	}
	return false;
}

/* Has the function always passed ins when it returns? */
static bool
on_every_way(Distinct *d, InstId inst, InsId ins)
{
	const Cfg *cfg = distinct_cfg(d, pta_inst(d->p, inst)->fn);
	BlockId at = cfg_block_of(d->ir, cfg->fn, ins);

	for (BlockId b = 1; b <= cfg->fn->nblock; b++) {
		const Block *bl = fn_block(d->ir, cfg->fn, b);
		if (cfg->rank[b] && ir_ins(d->ir, bl->ins + bl->nins - 1)->op == OP_RET &&
		    !cfg_dominates(cfg, at, b))
			return false;
	}
	return true;
}

InsId
made_by(Distinct *d, const Maker *m, InstId inst, InsId ins)
{
	for (u32 depth = 0; depth < 6 && inst != m->inst; depth++) {
		const Edge *e = only_call(d, inst);
		if (!e || !on_every_way(d, inst, ins))
			return 0;
		inst = e->from;
		ins = e->ins;
	}
	return inst == m->inst ? ins : 0;
}

/* The instruction of inst that comes to the fork, if that is the wrapper or calls it; 0 none. */
static InsId
way_to_fork(const Distinct *d, const Maker *m, InstId inst)
{
	InstId at = m->wrapper;
	InsId ins = m->wrapped_fork;

	while (at && at != m->inst && at != inst) {
		const Edge *e = only_call(d, at);
		at = e ? e->from : 0;
		ins = e ? e->ins : 0;
	}
	return at == inst ? ins : 0;
}

bool
made_before(Distinct *d, const Maker *m, InstId inst, InsId ins, bool may_skip)
{
	for (u32 depth = 0; depth < 6 && inst != m->inst; depth++) {
		const Edge *e = only_call(d, inst);
		InsId fork = way_to_fork(d, m, inst);
		if (fork)
			return cfg_precedes(distinct_cfg(d, pta_inst(d->p, inst)->fn), ins, fork);
		if (!e || !(may_skip || on_every_way(d, inst, ins)))
			return false;
		inst = e->from;
		ins = e->ins;
	}
	return inst == m->inst && before_fork(m, ins);
}

/* One of several objects of the round's own, or null. */
static Form
made_choice(Distinct *d, const Maker *m, InstId inst, const Ins *def, u32 depth)
{
	bool any = false;

	for (u32 k = 1; k < def->narg && depth < MAX_CHOICES; k += def->op == OP_PHI ? 2 : 1) {
		Val v = ins_arg(d->ir, def, k);
		if (form_const_null(d->ir, v))
			continue;
		if (form_made(d, m, inst, v, depth + 1).kind != FORM_OWN)
			return FORM_UNKNOWN;
		any = true;
	}
	return any ? (Form){.kind = FORM_OWN, .base = OWN_SELF} : FORM_UNKNOWN;
}

/* What is computed in a function that the creator calls. */
static Form
made_ins(Distinct *d, const Maker *m, InstId inst, Val v, InsId id, u32 depth)
{
	const Ins *def = ir_ins(d->ir, id);
	Val a0 = def->narg ? ins_arg(d->ir, def, 0) : 0;

	switch (def->op) {
	case OP_ALLOC:
	case OP_CALL:
		if ((def->op == OP_CALL ? !gives_new(d, inst, id) : def->sub == ALLOC_STACK) ||
		    !set_single(pta_pts(d->p, inst, v)) || !once_a_round(d, m, inst, id))
			return def->op == OP_CALL ? form_place(d, inst, v) : FORM_UNKNOWN;
		return (Form){.kind = FORM_OWN,
			      .base = OWN_BELOW |
				      pta_slot(d->p, set_first(pta_pts(d->p, inst, v)))->obj};
	case OP_COPY: return form_made(d, m, inst, a0, depth + 1);
	case OP_CAST: return form_cast(def, form_made(d, m, inst, a0, depth + 1));
	case OP_FIELD: return form_shift(form_made(d, m, inst, a0, depth + 1), def->imm);
	case OP_INDEX:
		return form_element(d, def, form_made(d, m, inst, a0, depth + 1),
				    form_made(d, m, inst, ins_arg(d->ir, def, 1), depth + 1));
	case OP_BIN:
		return form_bin(d, m, def, form_made(d, m, inst, a0, depth + 1),
				form_made(d, m, inst, ins_arg(d->ir, def, 1), depth + 1));
	case OP_PHI:
	case OP_SELECT: {
		Form f = made_choice(d, m, inst, def, depth);
		return f.kind == FORM_OWN ? f : form_place(d, inst, v);
	}
	default: return form_place(d, inst, v);
	}
}

Form
form_made(Distinct *d, const Maker *m, InstId inst, Val v, u32 depth)
{
	const Edge *e;
	InsId def;

	if (inst == m->inst)
		return form_creator(d, m, v, depth);
	if (val_is_const(v))
		return form_const(d, inst, v);
	if (!v || depth > 12)
		return FORM_UNKNOWN;
	def = fn_reg(d->ir, pta_fn(d->p, inst), v)->def;
	if (def)
		return made_ins(d, m, inst, v, def, depth);
	e = only_call(d, inst);
	if (!e || !once_a_round(d, m, e->from, e->ins) || v >= ir_ins(d->ir, e->ins)->narg)
		return form_place(d, inst, v);
	return form_made(d, m, e->from, ins_arg(d->ir, ir_ins(d->ir, e->ins), v), depth + 1);
}
