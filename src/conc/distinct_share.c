/* distinct_share.c - shares of an array whose sizes are known at run time only.
 *
 *	chunk = size / threads;
 *	from = id * chunk;
 *	to = id == threads - 1 ? size : from + chunk;
 *	for (i = from; i < to; i++) a[i] = 0;
 *
 * A share is a set of numbers that each instance of a thread has for itself.
 * A slice is F(n) .. F(n + 1) - 1 for a term F that goes one way: if it rises,
 * slices do not overlap; if it falls, they are empty.  What the last instance
 * has beyond its slice is nobody else's.  A stride is n, n + s, n + 2s ... for
 * as many instances as s.  A share is named by how it is computed, so that two
 * accesses by the same name are of one share; c times a number of a share, and
 * less than c more, is again one of a share: rows of a matrix.
 *
 * The sizes must be the same for all instances while they live.  A register of
 * the creator is, if the loop that forks does not compute it; a place in memory
 * is, if nothing that may run beside the thread writes there. */
#include "conc/distinct_int.h"

#include "conc/steady.h"

enum { CHOICES = 2 }; /* within each other */

/* ---- what does not change -------------------------------------------------------- */

/* The state of the threads before ins, when its instance was entered so. */
static OrderId
order_at(Distinct *d, const Entry *e, InsId ins)
{
	Order *o = d->entries->order;
	const Fn *fn = pta_fn(d->p, e->inst);
	BlockId b = cfg_block_of(d->ir, fn, ins);
	OrderId at = e->order;

	if (!order_moves(o, e->inst))
		return at;
	at = order_block(o, e->thread, e->inst, e->order, b);
	for (InsId i = fn_block(d->ir, fn, b)->ins; i < ins && at; i++)
		at = order_step(o, e->thread, e->inst, i, at);
	return at;
}

/* May the write run while an instance of t lives? */
static bool
beside(Distinct *d, ThreadId t, const Write *w)
{
	for (u32 i = distinct_entry(d, w->inst); i; i = distinct_entry_next(d, i)) {
		const Entry *e = &d->entries->at.at[i];
		OrderId at = order_at(d, e, w->ins);
		if (at && order_parallel(d->order, e->thread, at, t, order_start(d->order, t)))
			return true;
	}
	return false;
}

/* The only write to the place, 0 there are none or several. */
static const Write *
only_write(Distinct *d, Form at, u64 bytes)
{
	const Write *only = NULL;

	for (const Write *w = distinct_writes(d, pta_slot(d->p, at.base)->obj); w; w = w->next)
		if (write_meets(d, w, at.base, at.add ? 0 : bytes)) {
			if (only)
				return NULL;
			only = w;
		}
	return only;
}

/* What the creator stored there, once, before it came to the loop and, if that is
 * given, to the load. */
static Form
stored_once(Distinct *d, const Maker *m, Form at, u16 width, InsId load)
{
	const Write *w = only_write(d, at, (width + 7u) / 8);
	const Ins *ins = w ? ir_ins(d->ir, w->ins) : NULL;
	InsId site = load ? load : m->fork;
	BlockId b, to;

	if (!w || w->inst != m->inst || ins->op != OP_STORE || ins->width != width)
		return FORM_UNKNOWN;
	b = cfg_block_of(d->ir, m->cfg->fn, w->ins);
	to = cfg_block_of(d->ir, m->cfg->fn, site);
	if (cfg_loop_has(m->cfg, m->loop, b) ||
	    !(b == to ? w->ins < site : cfg_dominates(m->cfg, b, to)) ||
	    !form_same(form_creator(d, m, ins_arg(d->ir, ins, 0), 0), at))
		return FORM_UNKNOWN;
	return form_creator(d, m, ins_arg(d->ir, ins, 1), 0);
}

/* Is it a place that a number could stay in? */
static bool
is_cell(const Distinct *d, const Maker *m, const Ins *load, const Form *at)
{
	ObjId o = at->kind == FORM_ADDR ? pta_slot(d->p, at->base)->obj : 0;

	return o && d->small && m && m->counter && form_exact(at) && !at->scale &&
	       load->order == ORDER_PLAIN && load->width >= 8 && load->width <= 64 &&
	       !fresh_unknown(d->fresh, o) && pta_obj(d->p, o)->kind != OBJ_EXTERN;
}

Form
form_steady(Distinct *d, ThreadId t, InstId inst, InsId load, Form at)
{
	const Ins *ins = ir_ins(d->ir, load);
	const Maker *m = d->makers[t];
	Form f;

	if (!is_cell(d, m, ins, &at) || fn_reg(d->ir, pta_fn(d->p, inst), ins->dst)->rt != RT_INT)
		return FORM_UNKNOWN;
	for (const Write *w = distinct_writes(d, pta_slot(d->p, at.base)->obj); w; w = w->next)
		if (write_meets(d, w, at.base, at.add ? 0 : (ins->width + 7u) / 8) &&
		    beside(d, t, w))
			return FORM_UNKNOWN;
	f = stored_once(d, m, at, ins->width, 0);
	if (f.kind == FORM_INT && form_exact(&f))
		return f;
	return form_of_term(d, term_place(&d->terms, at.base, at.add, ins->width));
}

Form
form_steady_creator(Distinct *d, const Maker *m, InsId load, Form at)
{
	const Ins *ins = ir_ins(d->ir, load);
	BlockId b = cfg_block_of(d->ir, m->cfg->fn, load);
	Form f;

	if (!is_cell(d, m, ins, &at) || fn_reg(d->ir, m->cfg->fn, ins->dst)->rt != RT_INT)
		return FORM_UNKNOWN;
	f = stored_once(d, m, at, ins->width, load);
	if (f.kind == FORM_INT && form_exact(&f))
		return f;
	if (!steady_from(d->steady, m->inst, b, ins->dst))
		return FORM_UNKNOWN;
	return form_of_term(d, term_place(&d->terms, at.base, at.add, ins->width));
}

/* ---- shares ------------------------------------------------------------------------- */

typedef enum ShareKind {
	SHARE_SLICE,  /* of term a */
	SHARE_STRIDE, /* n + term a, by term b */
	SHARE_TIMES,  /* the numbers of share a, times term b */
	SHARE_ROWS,   /* those, and less than b more */
	SHARE_PLUS    /* the numbers of share a, and term b */
} ShareKind;

typedef struct Share {
	u32 kind, a, b;
} Share;

static Form
share(Distinct *d, ShareKind kind, u32 a, u32 b)
{
	Share s = {kind, a, b};

	if (!a)
		return FORM_UNKNOWN;
	return (Form){.kind = FORM_INT,
		      .scale = 1,
		      .of = OF_SHARE,
		      .var = intern_bytes(&d->shares, &s, sizeof s)};
}

/* Is x - y a constant?  Gives it. */
static bool
apart_by(Distinct *d, TermId x, TermId y, i64 *by)
{
	TermId diff = term_add(&d->terms, x, y, -1);
	i64 scale;

	return diff && term_plain(&d->terms, diff, &scale, by) && !scale;
}

/* From x, which is the same for all instances, up to y. */
static Form
range_below(Distinct *d, TermId x, TermId y)
{
	TermId most;
	i64 scale, from, k;

	if (!term_plain(&d->terms, x, &scale, &from) || from < 0 || term_varies(&d->terms, y))
		return FORM_UNKNOWN;
	most = term_split(&d->terms, y, &k);
	most = k <= 0 ? most : y;
	return most ? (Form){.kind = FORM_INT, .scale = 1, .of = OF_BELOW, .var = most}
		    : FORM_UNKNOWN;
}

/* A number that x is no less than: x itself, or where the slice that it is of begins. */
static TermId
least_of(Distinct *d, const Form *x)
{
	const Share *s =
	    x->of == OF_SHARE ? (const Share *)(const void *)intern_get(&d->shares, x->var) : NULL;

	if (s && s->kind == SHARE_SLICE && x->kind == FORM_INT && x->scale == 1 && x->add >= 0 &&
	    !x->mod)
		return s->a;
	return form_term(d, x);
}

/* A number that x is no more than, but for the last instance. */
static TermId
most_of(Distinct *d, const Form *x)
{
	if (x->of != OF_UPTO)
		return form_term(d, x);
	if (x->kind != FORM_INT || x->scale != 1 || x->span || x->mod)
		return 0;
	return term_add(&d->terms, x->var, term_int(&d->terms, x->add), 1);
}

Form
share_between(Distinct *d, Form x, Form y)
{
	TermId from = least_of(d, &x), to = most_of(d, &y), base;
	i64 over, add;

	if (!from || !to)
		return FORM_UNKNOWN;
	if (!term_varies(&d->terms, from))
		return y.of == OF_UPTO ? FORM_UNKNOWN : range_below(d, from, to);
	if (!apart_by(d, to, term_next(&d->terms, from), &over) || over > 0 ||
	    !term_goes_one_way(&d->terms, from))
		return FORM_UNKNOWN;
	base = term_split(&d->terms, from, &add);
	return share(d, SHARE_SLICE, add >= 0 && add + over <= 0 ? base : from, 0);
}

static Form
share_stride(Distinct *d, const Maker *m, Form x, Form step)
{
	TermId from = form_term(d, &x), by = form_term(d, &step);
	i64 scale;

	if (!m || !m->end || !m->rises || !from || !by || term_varies(&d->terms, by) ||
	    !term_linear(&d->terms, from, &scale) || scale != 1 ||
	    term_add(&d->terms, m->end, term_int(&d->terms, m->lo), -1) != by)
		return FORM_UNKNOWN;
	return share(d, SHARE_STRIDE, term_add(&d->terms, from, term_number(&d->terms), -1), by);
}

static bool
is_bare(const Form *f, FormOf of)
{
	return f->kind == FORM_INT && f->of == of && f->scale == 1 && !f->add && !f->span &&
	       !f->mod;
}

Form
share_sum(Distinct *d, Form x, Form y)
{
	TermId t;

	if (x.of == OF_BELOW || y.of == OF_SHARE) {
		Form s = x;
		x = y;
		y = s;
	}
	if (is_bare(&y, OF_BELOW) && is_bare(&x, OF_SHARE)) {
		const Share *s = (const Share *)(const void *)intern_get(&d->shares, x.var);
		return s->kind == SHARE_TIMES && s->b == y.var ? share(d, SHARE_ROWS, s->a, s->b)
							       : FORM_UNKNOWN;
	}
	if (is_bare(&y, OF_BELOW)) {
		t = form_term(d, &x);
		return t && term_goes_one_way(&d->terms, t) &&
			       term_add(&d->terms, term_next(&d->terms, t), t, -1) == y.var
			   ? share(d, SHARE_SLICE, t, 0)
			   : FORM_UNKNOWN;
	}
	t = form_term(d, &y);
	return is_bare(&x, OF_SHARE) && t && !term_varies(&d->terms, t)
		   ? share(d, SHARE_PLUS, x.var, t)
		   : FORM_UNKNOWN;
}

Form
share_product(Distinct *d, Form x, Form y)
{
	TermId t;

	if (y.of == OF_SHARE) {
		Form s = x;
		x = y;
		y = s;
	}
	t = form_term(d, &y);
	return is_bare(&x, OF_SHARE) && t && !term_varies(&d->terms, t)
		   ? share(d, SHARE_TIMES, x.var, t)
		   : FORM_UNKNOWN;
}

u32
share_bytes(Distinct *d, u32 var, i64 scale)
{
	const Share *s = (const Share *)(const void *)intern_get(&d->shares, var);
	Form f = FORM_UNKNOWN;

	if (s->kind == SHARE_SLICE && scale > 0)
		f = share(d, SHARE_SLICE, term_mul(&d->terms, s->a, term_int(&d->terms, scale)), 0);
	return f.var;
}

Form
share_block(Distinct *d, ThreadId t, InstId inst, const Ins *ins, Form f)
{
	Form from = f, len;
	u32 last = ins->op == OP_BCOPY ? 2 : 1;
	TermId n;

	if ((ins->op != OP_WRITEN && ins->op != OP_READN && ins->op != OP_BCOPY) ||
	    f.kind != FORM_ADDR || !form_exact(&f))
		return FORM_UNKNOWN;
	if (ins->narg <= last)
		return FORM_UNKNOWN; /* up to a zero byte */
	len = form_eval(d, t, inst, ins_arg(d->ir, ins, last), 0);
	n = form_term(d, &len);
	from.kind = FORM_INT;
	from.base = 0;
	from.add = 0;
	len = (Form){.kind = FORM_INT, .scale = 1, .of = OF_BELOW, .var = n};
	from = form_of_term(d, form_term(d, &from));
	len = n ? share_sum(d, from, len) : FORM_UNKNOWN;
	if (len.kind != FORM_INT)
		return FORM_UNKNOWN;
	f.scale = 1;
	f.of = len.of;
	f.var = len.var;
	return f;
}

/* ---- one of two values ----------------------------------------------------------------- */

/* A choice: cond decides between the values of its two sides. */
typedef struct Choice {
	Val cond, yes, no;
} Choice;

/* Which way of `by`, that decides, leads to the edge from p to b: 0, 1, or 2 if that is open. */
static u32
way_of(const Distinct *d, const Cfg *c, const Block *by, BlockId p, BlockId b, BlockId decides)
{
	for (u32 k = 0; k < 2; k++) {
		BlockId to = d->ir->succs.at[by->succ + k];
		if (p == decides
			? to == b
			: c->pred.first[to + 1] - c->pred.first[to] == 1 && cfg_dominates(c, to, p))
			return k;
	}
	return 2;
}

static bool
find_choice(const Distinct *d, const Cfg *c, InsId at, Choice *out)
{
	const Ins *ins = ir_ins(d->ir, at), *end;
	BlockId b = cfg_block_of(d->ir, c->fn, at), decides = c->dom.idom[b];
	const Block *by;
	Val side[2] = {0, 0};

	if (ins->op == OP_SELECT) {
		*out = (Choice){ins_arg(d->ir, ins, 0), ins_arg(d->ir, ins, 1),
				ins_arg(d->ir, ins, 2)};
		return true;
	}
	if (ins->op != OP_PHI || ins->narg != 4 || !decides)
		return false;
	by = fn_block(d->ir, c->fn, decides);
	end = ir_ins(d->ir, by->ins + by->nins - 1);
	if (end->op != OP_CBR || by->nsucc != 2)
		return false;
	for (u32 k = 0; k < 4; k += 2) {
		u32 way = way_of(d, c, by, ins_arg(d->ir, ins, k), b, decides);
		if (way == 2 || side[way])
			return false;
		side[way] = ins_arg(d->ir, ins, k + 1);
	}
	*out = (Choice){ins_arg(d->ir, end, 0), side[0], side[1]};
	return side[0] && side[1];
}

/* x pred y, as terms: does it say that n is the last of the creator's counter?  1: it does;
 * 2: its contrary does; 0: neither. */
static u32
says_last(Distinct *d, const Maker *m, TermId x, CmpPred pred, TermId y)
{
	Terms *t = &d->terms;
	TermId last = term_add(t, m->end, term_int(t, 1), -1);
	TermId up = term_add(t, term_number(t), last, -1); /* 0 at the last, else less */
	TermId diff = term_add(t, x, y, -1), minus = term_add(t, term_int(t, 0), diff, -1);

	if (!m->end || !diff || !up)
		return 0;
	switch (pred) {
	case CMP_EQ: return diff == up || minus == up ? 1 : 0;
	case CMP_NE: return diff == up || minus == up ? 2 : 0;
	case CMP_SGE:
	case CMP_UGE: return diff == up ? 1 : minus == term_add(t, up, term_int(t, 1), 1) ? 2 : 0;
	case CMP_SLT:
	case CMP_ULT: return diff == up ? 2 : minus == term_add(t, up, term_int(t, 1), 1) ? 1 : 0;
	case CMP_SLE:
	case CMP_ULE: return minus == up ? 1 : diff == term_add(t, up, term_int(t, 1), 1) ? 2 : 0;
	case CMP_SGT:
	case CMP_UGT: return minus == up ? 2 : diff == term_add(t, up, term_int(t, 1), 1) ? 1 : 0;
	default: return 0;
	}
}

/* Is `x pred y ? yes : no` the lesser of the two? */
static bool
is_least(Form x, CmpPred pred, Form y, Form yes, Form no)
{
	bool less = pred == CMP_SLT || pred == CMP_ULT || pred == CMP_SLE || pred == CMP_ULE;
	bool more = pred == CMP_SGT || pred == CMP_UGT || pred == CMP_SGE || pred == CMP_UGE;

	return (less && form_same(x, yes) && form_same(y, no)) ||
	       (more && form_same(x, no) && form_same(y, yes));
}

static Form
upto(TermId x)
{
	return x ? (Form){.kind = FORM_INT, .scale = 1, .of = OF_UPTO, .var = x} : FORM_UNKNOWN;
}

static const Ins *
comparison(const Distinct *d, const Cfg *c, Val cond)
{
	InsId def = val_is_reg(cond) ? fn_reg(d->ir, c->fn, cond)->def : 0;

	return def && ir_ins(d->ir, def)->op == OP_CMP ? ir_ins(d->ir, def) : NULL;
}

/* What the choice gives, of values that are known. */
static Form
chosen(Distinct *d, const Maker *m, const Cfg *c, const Choice *ch, FormEval eval, const void *side,
       u32 depth)
{
	Form yes, no, x, y;
	TermId a, b;
	const Ins *cmp;
	u32 last;

	yes = eval(d, side, ch->yes, depth + 1);
	no = eval(d, side, ch->no, depth + 1);
	if (yes.kind == FORM_UNSET || no.kind == FORM_UNSET || form_same(yes, no))
		return yes.kind == FORM_UNSET ? yes : no;
	cmp = comparison(d, c, ch->cond);
	if (!m || !cmp)
		return FORM_UNKNOWN;
	x = eval(d, side, ins_arg(d->ir, cmp, 0), depth + 1);
	y = eval(d, side, ins_arg(d->ir, cmp, 1), depth + 1);
	a = form_term(d, &yes);
	b = form_term(d, &no);
	if (!form_term(d, &x) || !form_term(d, &y))
		return FORM_UNKNOWN;
	last = says_last(d, m, form_term(d, &x), cmp->sub, form_term(d, &y));
	if (last)
		return upto(last == 1 ? b : a);
	if (a && b && is_least(x, cmp->sub, y, yes, no))
		return upto(term_varies(&d->terms, a) ? a : b);
	return FORM_UNKNOWN;
}

Form
form_choice(Distinct *d, const Maker *m, const Cfg *c, InsId at, FormEval eval, const void *side,
	    u32 depth)
{
	Choice ch;
	Form f;

	if (d->choices == CHOICES || !find_choice(d, c, at, &ch))
		return FORM_UNKNOWN;
	d->choices++;
	f = chosen(d, m, c, &ch, eval, side, depth);
	d->choices--;
	return f;
}

/* x and y: the forms of what v is chosen of, by a comparison of these, as the lesser or greater. */
static bool
form_extreme(Distinct *d, const Cfg *c, Val v, bool least, FormEval eval, const void *side,
	     u32 depth, Form *x, Form *y)
{
	InsId def = val_is_reg(v) ? fn_reg(d->ir, c->fn, v)->def : 0;
	const Ins *cmp;
	Choice ch;
	Form a, b;

	if (!def || d->choices == CHOICES || !find_choice(d, c, def, &ch))
		return false;
	cmp = comparison(d, c, ch.cond);
	if (!cmp)
		return false;
	d->choices++;
	a = eval(d, side, ins_arg(d->ir, cmp, 0), depth + 1);
	b = eval(d, side, ins_arg(d->ir, cmp, 1), depth + 1);
	*x = eval(d, side, ch.yes, depth + 1);
	*y = eval(d, side, ch.no, depth + 1);
	d->choices--;
	return x->kind == FORM_INT && y->kind == FORM_INT &&
	       (least ? is_least(a, cmp->sub, b, *x, *y) : is_least(a, cmp->sub, b, *y, *x));
}

bool
form_least_of(Distinct *d, const Cfg *c, Val v, FormEval eval, const void *side, u32 depth, Form *x,
	      Form *y)
{
	return form_extreme(d, c, v, true, eval, side, depth, x, y);
}

bool
form_most_of(Distinct *d, const Cfg *c, Val v, FormEval eval, const void *side, u32 depth, Form *x,
	     Form *y)
{
	return form_extreme(d, c, v, false, eval, side, depth, x, y);
}

TermId
maker_end(Distinct *d, const Maker *m)
{
	SteadyFrom asked = {d->steady, m->inst, m->cfg->loops[m->loop].header};
	Counter c;
	Form f;
	TermId end;

	if (m->bounded)
		return term_int(&d->terms, m->hi);
	if (!d->small || !loop_counter_if(m->cfg, m->loop, steady_asked, &asked, &c) ||
	    c.iv.phi != m->counter || (c.iv.step != 1 && !m->first) || c.after_step ||
	    (c.pred != CMP_SLT && c.pred != CMP_ULT && c.pred != CMP_SLE && c.pred != CMP_NE))
		return 0;
	f = form_creator(d, m, c.bound, 0);
	if (m->first) {
		Form from = form_creator(d, m, m->first, 0);
		f = form_units(f, from.base, m->step);
		from = form_units(from, from.base, m->step);
		f = form_shift(f, form_constant(&from) ? -from.add : 0);
		end = form_constant(&from) ? form_term(d, &f) : 0;
	} else {
		end = form_term(d, &f);
	}
	return end && !term_varies(&d->terms, end) && c.pred == CMP_SLE
		   ? term_add(&d->terms, end, term_int(&d->terms, 1), 1)
		   : end;
}

void
maker_counts(Maker *m, const Iv *iv)
{
	m->counter = iv->phi;
	m->first = iv->address ? iv->init : 0;
	m->step = iv->step;
}

/* What the phi of a loop's header adds each time, and starts with. */
static bool
find_step(const Distinct *d, const Cfg *c, u32 loop, InsId phi, Val *init, Val *step)
{
	const Ins *ins = ir_ins(d->ir, phi), *add;
	Val inside = 0;
	InsId def;

	*init = 0;
	if (!loop || c->loops[loop].irreducible || ins->narg != 4 ||
	    cfg_block_of(d->ir, c->fn, phi) != c->loops[loop].header)
		return false;
	for (u32 k = 0; k < 4; k += 2)
		*(cfg_loop_has(c, loop, ins_arg(d->ir, ins, k)) ? &inside : init) =
		    ins_arg(d->ir, ins, k + 1);
	def = val_is_reg(inside) && *init ? fn_reg(d->ir, c->fn, inside)->def : 0;
	add = def ? ir_ins(d->ir, def) : NULL;
	if (!add || add->op != OP_BIN || add->sub != BIN_ADD)
		return false;
	*step = ins_arg(d->ir, add, ins_arg(d->ir, add, 0) == ins->dst);
	return ins_arg(d->ir, add, 0) == ins->dst || ins_arg(d->ir, add, 1) == ins->dst;
}

/* init + step * (n - the first n) */
Form
form_running(Distinct *d, const Maker *m, InsId phi, u32 depth)
{
	Val init, step;
	Form from, by;
	TermId rounds, x;
	Iv iv;

	if (!m->rises || !m->loop)
		return FORM_UNKNOWN;
	if (loop_iv(m->cfg, m->loop, ir_ins(d->ir, phi)->dst, &iv) && iv.address) {
		from = form_creator(d, m, iv.init, depth + 1);
		if (from.kind != FORM_ADDR || !form_exact(&from) || from.scale)
			return FORM_UNKNOWN;
		from.scale = iv.step;
		return form_shift(from, -m->lo * iv.step);
	}
	if (!find_step(d, m->cfg, m->loop, phi, &init, &step))
		return FORM_UNKNOWN;
	from = form_creator(d, m, init, depth + 1);
	by = form_creator(d, m, step, depth + 1);
	x = form_term(d, &by);
	if (!x || term_varies(&d->terms, x))
		return FORM_UNKNOWN;
	rounds = term_add(&d->terms, term_number(&d->terms), term_int(&d->terms, m->lo), -1);
	x = term_mul(&d->terms, rounds, x);
	return form_of_term(d, term_add(&d->terms, x, form_term(d, &from), 1));
}

Form
form_strided(Distinct *d, ThreadId t, InstId inst, const Cfg *c, u32 loop, InsId phi, u32 depth)
{
	Val init, step;

	if (!find_step(d, c, loop, phi, &init, &step))
		return FORM_UNKNOWN;
	return share_stride(d, d->makers[t], form_eval(d, t, inst, init, depth + 1),
			    form_eval(d, t, inst, step, depth + 1));
}

bool
distinct_left_over(Distinct *d, ThreadId t, InstId inst, Val n, i64 *over)
{
	const Maker *m = d->makers[t];
	Form f;
	TermId many;

	if (!m || m->inst != inst || !m->end || !m->rises)
		return false;
	f = form_creator(d, m, n, 0);
	many = term_add(&d->terms, m->end, term_int(&d->terms, m->lo), -1);
	return many && form_term(d, &f) && apart_by(d, form_term(d, &f), many, over);
}
