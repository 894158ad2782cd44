/* distinct_load.c - numbers that come from memory.
 *
 * Three kinds of cells give a form: a counter that gives each taker a ticket
 * of its own (distinct_ticket.c); memory that the creator alone writes, before
 * the fork; and a global that nobody writes. */
#include "conc/distinct_int.h"

#include "conc/access.h"
#include "conc/steady.h"
#include "ir/induction.h"

enum { MAX_TABLE = 64 };

/* ---- loads ------------------------------------------------------------------------ */

/* Does the creator, in a round of m, store a known form to where the thread of
 * that round looks? */
static bool
loop_store(Distinct *d, const Maker *m, const Write *w, Form at, u64 bytes, Form *value)
{
	const Ins *ins = ir_ins(d->ir, w->ins);
	Form to, v;

	if (ins->op != OP_STORE || (ins->width + 7u) / 8 != bytes)
		return false;
	to = form_made(d, m, w->inst, ins_arg(d->ir, ins, 0), 0);
	v = form_made(d, m, w->inst, ins_arg(d->ir, ins, 1), 0);
	if (!form_same(to, at) || v.kind == FORM_NONE || v.kind == FORM_UNSET ||
	    (value->kind != FORM_UNSET && !form_same(*value, v)))
		return false;
	*value = v;
	return true;
}

/* The number that a global starts with, off bytes into it. */
static Form
first_number(const Distinct *d, const Global *g, i64 off, u16 width)
{
	Form f = {.kind = FORM_INT};

	for (u32 k = 0; k < g->ninit; k++) {
		const Init *in = &d->ir->inits.at[g->init + k];
		const Const *c = ir_const(d->ir, in->val);
		i64 at = (i64)in->off;
		if (at >= off + (width + 7) / 8 || at + 8 <= off)
			continue;
		if (at == off && c->kind == CONST_INT && c->width == width)
			f.add = c->num;
		else if (c->kind != CONST_INT || at + (c->width + 7) / 8 > off)
			return FORM_UNKNOWN;
	}
	return f;
}

/* Has the instruction run, once, when the loop begins? */
static bool
before_loop(const Maker *m, InsId ins)
{
	BlockId b = cfg_block_of(m->cfg->ir, m->cfg->fn, ins);

	return m->loop && !m->cfg->loop_of[b] &&
	       cfg_dominates(m->cfg, b, m->cfg->loops[m->loop].header);
}

/* The number that round n finds off + n * scale bytes into a global, if it goes up evenly. */
static Form
even_numbers(const Distinct *d, const Maker *m, const Global *g, i64 off, i64 scale, u16 width)
{
	Form f = {0}, first = {0};

	if (!m->bounded || m->hi <= m->lo || m->hi - m->lo > MAX_TABLE)
		return FORM_UNKNOWN;
	for (i64 n = m->lo; n < m->hi; n++) {
		Form v = first_number(d, g, off + n * scale, width);
		if (v.kind != FORM_INT)
			return FORM_UNKNOWN;
		if (n == m->lo)
			first = f = v;
		else if (n == m->lo + 1)
			f.scale = v.add - first.add;
		if (v.add != first.add + f.scale * (n - m->lo))
			return FORM_UNKNOWN;
	}
	return form_shift(f, -f.scale * m->lo);
}

/* Does the creator copy a block there, of a global that is constant? */
static bool
creator_copy(Distinct *d, const Maker *m, const Write *w, Form at, const Ins *load, Form *value)
{
	const Ins *ins = ir_ins(d->ir, w->ins);
	Val src = ins->op == OP_BCOPY ? ins_arg(d->ir, ins, 1) : 0;
	const Const *c = val_is_const(src) ? ir_const(d->ir, src) : NULL;
	Form to, from;

	if (!c || c->kind != CONST_GLOBAL || !d->ir->globals.at[c->ref].constant ||
	    w->inst != m->inst || !(before_fork(m, w->ins) || before_loop(m, w->ins)))
		return false;
	to = form_creator(d, m, ins_arg(d->ir, ins, 0), 0);
	if (to.kind != FORM_ADDR || to.base != at.base || to.scale || to.span || to.mod || at.of ||
	    at.add < to.add)
		return false;
	from = at.scale ? even_numbers(d, m, &d->ir->globals.at[c->ref], c->num + at.add - to.add,
				       at.scale, load->width)
			: first_number(d, &d->ir->globals.at[c->ref], c->num + at.add - to.add,
				       load->width);
	if (from.kind != FORM_INT || (value->kind != FORM_UNSET && !form_same(*value, from)))
		return false;
	*value = from;
	return true;
}

/* The creator's store of bytes at a local of its own, which is written whole before that and
 * nowhere else; 0 none. */
static InsId
store_to_local(Distinct *d, const Maker *m, Form at, u64 bytes, InsId before)
{
	const Write *first = distinct_writes(d, pta_slot(d->p, at.base)->obj);
	InsId found = 0;

	for (u32 pass = 0; pass < 2; pass++)
		for (const Write *w = first; w; w = w->next) {
			const Ins *ins = ir_ins(d->ir, w->ins);
			Touch touch[2];
			Form to;
			access_touches(d->ir, w->ins, touch);
			to = w->inst == m->inst ? form_creator(d, m, touch[w->touch].addr, 0)
						: FORM_UNKNOWN;
			if (to.kind != FORM_ADDR || !form_exact(&to) || to.scale ||
			    to.base != at.base)
				return 0;
			if (to.add >= at.add + (i64)bytes ||
			    (touch[w->touch].size && to.add + (i64)touch[w->touch].size <= at.add))
				continue;
			if (!pass && ins->op == OP_STORE && to.add == at.add &&
			    touch[w->touch].size == bytes && cfg_precedes(m->cfg, w->ins, before) &&
			    !found)
				found = w->ins;
			else if (pass && w->ins != found && !cfg_precedes(m->cfg, w->ins, found))
				return 0;
		}
	return found;
}

/* Does the creator, in this round, copy a local there that it has filled before? */
static bool
copied_local(Distinct *d, const Maker *m, const Write *w, Form at, const Ins *load, Form *value)
{
	const Ins *ins = ir_ins(d->ir, w->ins);
	Form to, from;
	InsId store;

	if (ins->op != OP_BCOPY || w->inst != m->inst || !before_fork(m, w->ins))
		return false;
	to = form_creator(d, m, ins_arg(d->ir, ins, 0), 0);
	from = form_creator(d, m, ins_arg(d->ir, ins, 1), 0);
	if (to.kind != at.kind || to.base != at.base || to.scale != at.scale || to.of != at.of ||
	    to.var != at.var || to.span || to.mod || at.add < to.add || from.kind != FORM_ADDR ||
	    !form_exact(&from) || from.scale ||
	    pta_obj(d->p, pta_slot(d->p, from.base)->obj)->kind != OBJ_STACK ||
	    fresh_unknown(d->fresh, pta_slot(d->p, from.base)->obj))
		return false;
	store =
	    store_to_local(d, m, form_shift(from, at.add - to.add), (load->width + 7u) / 8, w->ins);
	from =
	    store ? form_creator(d, m, ins_arg(d->ir, ir_ins(d->ir, store), 1), 0) : FORM_UNKNOWN;
	if (from.kind == FORM_NONE || from.kind == FORM_UNSET ||
	    (store && m->loop && !before_fork(m, store)) ||
	    (value->kind != FORM_UNSET && !form_same(*value, from)))
		return false;
	*value = from;
	return true;
}

/* Is the write the creator's store, for the same round, of a known form? */
static bool
creator_store(Distinct *d, const Maker *m, const Write *w, Form at, u64 bytes, Form *value)
{
	return made_before(d, m, w->inst, w->ins, false) && loop_store(d, m, w, at, bytes, value);
}

bool
counter_bounds(Distinct *d, const Maker *m, const Counter *c, i64 *lo, i64 *hi)
{
	Form from = form_creator(d, m, c->iv.init, 0), to = form_creator(d, m, c->bound, 0);

	if (c->iv.address && c->iv.step > 0) {
		to = form_units(to, from.base, c->iv.step);
		from = form_units(from, from.base, c->iv.step);
		to = form_shift(to, -from.add);
		from = form_shift(from, -from.add);
	}
	if ((c->iv.step != 1 && !c->iv.address) || c->after_step || !form_constant(&from) ||
	    !form_constant(&to) ||
	    (c->pred != CMP_SLT && c->pred != CMP_ULT && c->pred != CMP_SLE && c->pred != CMP_NE))
		return false;
	*lo = from.add;
	*hi = to.add + (c->pred == CMP_SLE);
	return *lo <= *hi;
}

bool
counter_rises(Distinct *d, const Maker *m, const Iv *iv, i64 *lo)
{
	Form from = form_creator(d, m, iv->init, 0);

	*lo = iv->address ? 0 : from.add;
	return iv->step > 0 && (iv->address || form_constant(&from));
}

/* Had the counter c of an earlier loop all the values that the creator's has? */
static bool
covers(Distinct *d, const Maker *m, const Counter *c)
{
	SteadyFrom asked = {d->steady, m->inst, m->loop ? m->cfg->loops[m->loop].header : 0};
	Form from, to;
	Counter now;
	i64 lo, hi;

	if (m->bounded && counter_bounds(d, m, c, &lo, &hi))
		return lo <= m->lo && hi >= m->hi;
	if (!m->counter || !loop_counter_if(m->cfg, m->loop, steady_asked, &asked, &now) ||
	    now.iv.phi != m->counter || now.iv.step != c->iv.step || now.pred != c->pred ||
	    now.after_step || c->after_step)
		return false;
	from = form_creator(d, m, c->iv.init, 0);
	to = form_creator(d, m, now.iv.init, 0);
	return form_constant(&from) && form_constant(&to) && from.add == to.add &&
	       steady_same(d->steady, m->inst, c->bound, now.bound);
}

/* Is the loop left on no way to block `to` but by its test? */
static bool
ends_by_test(Distinct *d, const Cfg *c, u32 loop, const Counter *count, BlockId to)
{
	const Loop *l = &c->loops[loop];
	Set reach = {0};
	VecU32 todo = {0};
	bool other = false;

	set_add(d->arena, &reach, to);
	vec_push(d->arena, &todo, to);
	while (todo.n) {
		BlockId b = todo.at[--todo.n];
		GRAPH_FOR (p, &c->pred, b)
			if (!cfg_loop_has(c, loop, *p) && set_add(d->arena, &reach, *p))
				vec_push(d->arena, &todo, *p);
	}
	for (u32 k = l->exit; k < l->exit + l->nexit; k++)
		other |=
		    c->loop_exits[k].from != count->test && set_has(&reach, c->loop_exits[k].to);
	set_recycle(d->arena, &reach);
	return !other;
}

/* The creator as it is in another loop, which has run to its end, past the
 * store in each round, when it comes to the fork; all values of its own
 * counter were there. */
static bool
earlier_loop(Distinct *d, const Maker *m, InsId store, Maker *out)
{
	const Cfg *c = m->cfg;
	BlockId b = cfg_block_of(d->ir, c->fn, store);
	BlockId fork = cfg_block_of(d->ir, c->fn, m->fork);
	u32 loop = c->loop_of[b];
	SteadyFrom asked = {d->steady, m->inst, c->loops[loop].header};
	Counter count;

	if (!loop || c->loops[loop].irreducible || c->loops[loop].parent ||
	    cfg_loop_has(c, loop, fork) || !cfg_dominates(c, c->loops[loop].header, fork) ||
	    !loop_counter_if(c, loop, steady_asked, &asked, &count) ||
	    !ends_by_test(d, c, loop, &count, fork))
		return false;
	GRAPH_FOR (latch, &c->pred, c->loops[loop].header)
		if (cfg_loop_has(c, loop, *latch) && !cfg_dominates(c, b, *latch))
			return false;
	*out = *m;
	out->fork = store; /* of its round: what was made before the store */
	out->wrapper = 0;
	out->loop = loop;
	maker_counts(out, &count.iv);
	return covers(d, m, &count);
}

/* What is loaded: as many bytes as the load takes, from `off` bytes behind the address. */
typedef struct Found {
	InstId inst;
	const Ins *load;
	Val addr;
	i64 off;
} Found;

/* Is it a place where no round's thread looks that the creator writes? */
static bool
writes_elsewhere(Distinct *d, const Maker *m, const Write *w, Form at, u64 bytes)
{
	Maker here = {.inst = m->inst, .fork = w->ins, .cfg = m->cfg};
	Touch touch[2];
	Form to;
	i64 first, last;

	if (w->inst != m->inst || at.kind != FORM_ADDR || at.of || at.span || at.mod ||
	    !m->bounded || m->lo >= m->hi)
		return false;
	access_touches(d->ir, w->ins, touch);
	to = form_creator(d, &here, touch[w->touch].addr, 0);
	first = at.add + at.scale * (at.scale < 0 ? m->hi - 1 : m->lo);
	last = at.add + at.scale * (at.scale < 0 ? m->lo : m->hi - 1);
	return to.kind == FORM_ADDR && form_exact(&to) && !to.scale && to.base == at.base &&
	       touch[w->touch].size &&
	       (to.add >= last + (i64)bytes || to.add + (i64)touch[w->touch].size <= first);
}

/* What all writes to that memory, by anyone, store there: the creator's for the
 * same round, or in a loop before.  Null among addresses is no matter: whoever finds that
 * accesses nothing by it. */
static Form
stored_by_creator(Distinct *d, const Maker *m, const Found *it_is, Form at)
{
	const Ins *load = it_is->load;
	u64 bytes = (load->width + 7u) / 8;
	bool cleared = false;
	Form value = {0};

	SET_FOR (it, pta_pts(d->p, it_is->inst, it_is->addr)) {
		ObjId o = pta_slot(d->p, it.x)->obj;
		if (pta_obj(d->p, o)->kind == OBJ_EXTERN || fresh_unknown(d->fresh, o))
			return FORM_UNKNOWN;
		for (const Write *wr = distinct_writes(d, o); wr; wr = wr->next) {
			InsId site = made_by(d, m, wr->inst, wr->ins);
			Maker before;
			if (!write_meets_behind(d, wr, it.x, it_is->off, bytes) ||
			    writes_elsewhere(d, m, wr, at, bytes) ||
			    creator_store(d, m, wr, at, bytes, &value) ||
			    creator_copy(d, m, wr, at, load, &value) ||
			    copied_local(d, m, wr, at, load, &value))
				continue;
			if (write_clears(d, wr, bytes)) {
				cleared = true;
				continue;
			}
			if (!site || !earlier_loop(d, m, site, &before) ||
			    !loop_store(d, &before, wr, at, bytes, &value))
				return FORM_UNKNOWN;
		}
	}
	if (value.kind == FORM_UNSET || (cleared && value.kind == FORM_INT))
		return FORM_UNKNOWN;
	return value;
}

Form
form_stored(Distinct *d, const Maker *m, InsId load, Form at)
{
	Val here_addr = ins_arg(d->ir, ir_ins(d->ir, load), 0);
	Maker here = *m;
	Form f;

	if (at.kind == FORM_UNSET)
		return at;
	if (at.of || at.span || at.mod || (at.kind != FORM_OWN && !at.scale) || d->nested > 4)
		return FORM_UNKNOWN;
	here.fork = load;
	here.wrapper = 0;
	d->nested++;
	f = stored_by_creator(d, &here, &(Found){m->inst, ir_ins(d->ir, load), here_addr, 0}, at);
	d->nested--;
	return f;
}

/* What all returns of the thread's start routine give. */
static Form
all_returns(Distinct *d, ThreadId t)
{
	InstId start = thread_get(d->t, t)->start;
	const Fn *fn = pta_fn(d->p, start);
	InstId use_inst = d->use_inst;
	InsId use = d->use;
	Form all = {0};

	for (InsId i = fn->ins; i < fn->ins + fn->nins; i++) {
		const Ins *ret = ir_ins(d->ir, i);
		Form f;
		if (ret->op == OP_TEXIT)
			return FORM_UNKNOWN;
		if (ret->op != OP_RET)
			continue;
		d->use_inst = start;
		d->use = i;
		f = ret->narg ? form_eval(d, t, start, ins_arg(d->ir, ret, 0), 0) : FORM_UNKNOWN;
		if (all.kind != FORM_UNSET && !form_same(all, f))
			f = FORM_UNKNOWN;
		all = f;
		if (f.kind == FORM_NONE)
			break;
	}
	d->use_inst = use_inst;
	d->use = use;
	return all.kind == FORM_UNSET ? FORM_UNKNOWN : all;
}

Form
form_returned(Distinct *d, const Maker *m, InsId load, Form at)
{
	const Ins *join = ir_ins(d->ir, m->fork);
	u64 bytes = (ir_ins(d->ir, load)->width + 7u) / 8;
	Form to;

	if (join->op != OP_JOIN || join->narg < 2 || at.kind != FORM_ADDR || at.scale || at.add ||
	    !cfg_precedes(m->cfg, m->fork, load))
		return FORM_UNKNOWN;
	to = form_creator(d, m, ins_arg(d->ir, join, 1), 0);
	if (!form_same(to, at) || fresh_unknown(d->fresh, pta_slot(d->p, at.base)->obj))
		return FORM_UNKNOWN;
	for (const Write *w = distinct_writes(d, pta_slot(d->p, at.base)->obj); w; w = w->next)
		if (write_meets(d, w, at.base, bytes) && (w->ins != m->fork || w->inst != m->inst))
			return FORM_UNKNOWN;
	return all_returns(d, m->joined);
}

/* ---- cells that do not change, or only grow ------------------------------------------ */

Form
form_never_written(Distinct *d, const Ins *load, Form at)
{
	const Slot *s = at.kind == FORM_ADDR ? pta_slot(d->p, at.base) : NULL;
	const Obj *o = s ? pta_obj(d->p, s->obj) : NULL;
	const Global *g = o && o->kind == OBJ_GLOBAL ? &d->ir->globals.at[o->ref] : NULL;

	if (at.kind == FORM_UNSET)
		return at;
	if (!g || at.scale || at.span || at.mod || s->stride || g->linkage == LINK_DECL || g->tls ||
	    fresh_unknown(d->fresh, s->obj))
		return FORM_UNKNOWN;
	for (const Write *w = distinct_writes(d, s->obj); w; w = w->next)
		if (write_meets(d, w, at.base, 0))
			return FORM_UNKNOWN;
	return first_number(d, g, s->off + at.add, load->width);
}

/* The number in a table that nobody writes, at the counter's place. */
static Form
never_written_row(Distinct *d, const Maker *m, const Ins *load, Form at)
{
	const Slot *s = at.kind == FORM_ADDR && at.scale && form_exact(&at) && !at.of
			    ? pta_slot(d->p, at.base)
			    : NULL;
	const Obj *o = s ? pta_obj(d->p, s->obj) : NULL;
	const Global *g = o && o->kind == OBJ_GLOBAL ? &d->ir->globals.at[o->ref] : NULL;

	if (!g || s->stride || g->linkage == LINK_DECL || g->tls ||
	    fresh_unknown(d->fresh, s->obj) || distinct_writes(d, s->obj))
		return FORM_UNKNOWN;
	return even_numbers(d, m, g, s->off + at.add, at.scale, load->width);
}

/* What the thread finds where only its creator, for it, has written. */
static Form
found_by_thread(Distinct *d, ThreadId t, const Found *it, Form at)
{
	const Maker *m = d->makers[t];
	/* One place is each instance's own only if there is one instance. */
	bool is_only = thread_get(d->t, t)->unique;
	Form f;

	if (!m || at.of || at.span || at.mod ||
	    (at.kind != FORM_OWN && (at.kind != FORM_ADDR || (!at.scale && !is_only))))
		return FORM_UNKNOWN;
	f = never_written_row(d, m, it->load, at);
	return f.kind == FORM_NONE ? stored_by_creator(d, m, it, at) : f;
}

/* The local that addr lies in, of this activation, and how far into it; null if it is none. */
static const Ins *
own_local(const Distinct *d, const Cfg *c, Val addr, i64 *off)
{
	*off = 0;
	for (u32 steps = 0; steps < 6 && val_is_reg(addr); steps++) {
		InsId def = fn_reg(d->ir, c->fn, addr)->def;
		const Ins *ins = def ? ir_ins(d->ir, def) : NULL;
		if (!ins)
			return NULL;
		if (ins->op == OP_ALLOC)
			return ins->sub == ALLOC_STACK &&
				       !cfg_in_cycle(c, cfg_block_of(d->ir, c->fn, def))
				   ? ins
				   : NULL;
		if (ins->op != OP_FIELD && ins->op != OP_COPY && ins->op != OP_CAST)
			return NULL;
		*off += ins->op == OP_FIELD ? ins->imm : 0;
		addr = ins_arg(d->ir, ins, 0);
	}
	return NULL;
}

/* What a local holds that is written, where the load looks, by one instruction of the same
 * function, which has always run before: a copy of what the creator has filled, as in
 * `struct job j = *(struct job *)arg`, or a number. */
static Form
form_local(Distinct *d, ThreadId t, InstId inst, InsId load)
{
	const Cfg *c = distinct_cfg(d, pta_inst(d->p, inst)->fn);
	const Ins *ins = ir_ins(d->ir, load), *by;
	const Set *pts = pta_pts(d->p, inst, ins_arg(d->ir, ins, 0));
	u64 bytes = (ins->width + 7u) / 8;
	const Write *found = NULL;
	i64 off, to;
	const Ins *local = own_local(d, c, ins_arg(d->ir, ins, 0), &off);
	ObjId o = local && set_single(pts) ? pta_slot(d->p, set_first(pts))->obj : 0;
	Touch touch[2];
	InsId use = d->use;
	InstId use_inst = d->use_inst;
	Form f;

	if (!o || fresh_unknown(d->fresh, o))
		return FORM_UNKNOWN;
	for (const Write *w = distinct_writes(d, o); w; w = w->next)
		if (write_meets(d, w, set_first(pts), bytes)) {
			if (found)
				return FORM_UNKNOWN;
			found = w;
		}
	by = found ? ir_ins(d->ir, found->ins) : NULL;
	if (!by || found->inst != inst || !cfg_precedes(c, found->ins, load) ||
	    (by->op != OP_BCOPY && by->op != OP_STORE) ||
	    own_local(d, c, ins_arg(d->ir, by, 0), &to) != local || to > off)
		return FORM_UNKNOWN;
	access_touches(d->ir, found->ins, touch);
	d->use_inst = inst;
	d->use = found->ins;
	if (by->op == OP_STORE) {
		f = to == off && touch[0].size == bytes
			? form_eval(d, t, inst, ins_arg(d->ir, by, 1), 4)
			: FORM_UNKNOWN;
	} else {
		Found it = {inst, ins, ins_arg(d->ir, by, 1), off - to};
		f = form_shift(form_eval(d, t, inst, it.addr, 4), it.off);
		f = f.kind == FORM_UNSET ? f
		    : touch[0].size && off + (i64)bytes <= to + (i64)touch[0].size
			? found_by_thread(d, t, &it, f)
			: FORM_UNKNOWN;
	}
	d->use = use;
	d->use_inst = use_inst;
	return f;
}

/* ---- what the thread has filled itself ------------------------------------------------ */

/* A store in a function that has called what loads: the rounds of a loop that has one number
 * after the other, or one round. */
typedef struct Fill {
	Maker m; /* as it is there */
	i64 lo, hi;
	bool done; /* all rounds, before the call */
} Fill;

static bool
fill_at(Distinct *d, const Cfg *c, InstId inst, InsId store, InsId call, Fill *out)
{
	BlockId b = cfg_block_of(d->ir, c->fn, store), to = cfg_block_of(d->ir, c->fn, call);
	u32 loop = c->loop_of[b];
	SteadyFrom asked = {d->steady, inst, loop ? c->loops[loop].header : 0};
	Counter count;

	*out = (Fill){.m = {.inst = inst, .fork = store, .cfg = c}, .hi = 1};
	if (!loop) {
		out->done = !cfg_in_cycle(c, b) && cfg_precedes(c, store, call);
		return !cfg_in_cycle(c, b);
	}
	out->m.loop = loop;
	if (c->loops[loop].irreducible || c->loops[loop].parent || cfg_loop_has(c, loop, to) ||
	    !loop_counter_if(c, loop, steady_asked, &asked, &count))
		return false;
	maker_counts(&out->m, &count.iv);
	if (!counter_bounds(d, &out->m, &count, &out->lo, &out->hi))
		return false;
	out->done =
	    cfg_dominates(c, c->loops[loop].header, to) && ends_by_test(d, c, loop, &count, to);
	GRAPH_FOR (latch, &c->pred, c->loops[loop].header)
		if (cfg_loop_has(c, loop, *latch) && !cfg_dominates(c, b, *latch))
			out->done = false;
	return true;
}

/* What the store leaves at that place: a number, or unset if it does not come there. */
static Form
fill_number(Distinct *d, const Fill *f, const Ins *store, Form at, u64 bytes)
{
	i64 size = (store->width + 7) / 8, n, rest;
	Form to = form_creator(d, &f->m, ins_arg(d->ir, store, 0), 0);
	Form v = form_creator(d, &f->m, ins_arg(d->ir, store, 1), 0);

	if (to.kind != FORM_ADDR || !form_exact(&to) || to.of || to.base != at.base ||
	    to.scale < 0 || v.kind != FORM_INT || !form_exact(&v) || v.of || (!to.scale && v.scale))
		return FORM_UNKNOWN;
	at.add -= to.add;
	n = to.scale ? at.add / to.scale - (at.add % to.scale < 0) : f->lo;
	rest = to.scale ? at.add - n * to.scale : at.add;
	if (rest && (!to.scale || (rest >= size && to.scale - rest >= (i64)bytes)))
		return rest >= size || rest + (i64)bytes <= 0 ? (Form){0} : FORM_UNKNOWN;
	if (rest || (u64)size != bytes || (to.scale && to.scale < size))
		return FORM_UNKNOWN;
	if (n < f->lo || n >= f->hi)
		return (Form){0};
	return (Form){.kind = FORM_INT, .add = v.add + v.scale * n};
}

/* The number at a place that only a function stores to which has called, by others or not, what
 * loads there: `for (i = 0; i < 4; i++) job[i].id = i; ... run(&job[3]);`.  Each of its stores that
 * comes there stores this one, and some has been done. */
static Form
form_filled(Distinct *d, InstId inst, InsId load, Form at)
{
	const Ins *ins = ir_ins(d->ir, load);
	u64 bytes = (ins->width + 7u) / 8;
	ObjId o = at.kind == FORM_ADDR ? pta_slot(d->p, at.base)->obj : 0;
	const Set *pts = pta_pts(d->p, inst, ins_arg(d->ir, ins, 0));
	const Write *first = o ? distinct_writes(d, o) : NULL;
	Form all = {0};
	InstId by = 0;
	bool done = false;

	if (!d->small || !first || !form_exact(&at) || at.scale || fresh_unknown(d->fresh, o) ||
	    !set_single(pts) || pta_slot(d->p, set_first(pts))->obj != o)
		return FORM_UNKNOWN;
	for (const Write *w = first; w; w = w->next)
		if (write_meets(d, w, set_first(pts), bytes)) {
			if ((by && by != w->inst) || ir_ins(d->ir, w->ins)->op != OP_STORE)
				return FORM_UNKNOWN;
			by = w->inst;
		}
	for (u32 depth = 0; by && inst != by; depth++) {
		const Edge *e = depth < 4 ? only_call(d, inst) : NULL;
		if (!e)
			return FORM_UNKNOWN;
		inst = e->from;
		load = e->ins;
	}
	for (const Write *w = first; w && by; w = w->next) {
		Fill f;
		Form v;
		if (!write_meets(d, w, set_first(pts), bytes))
			continue;
		v = fill_at(d, distinct_cfg(d, pta_inst(d->p, by)->fn), by, w->ins, load, &f)
			? fill_number(d, &f, ir_ins(d->ir, w->ins), at, bytes)
			: FORM_UNKNOWN;
		if (v.kind == FORM_NONE || (v.kind && all.kind && !form_same(v, all)))
			return FORM_UNKNOWN;
		if (v.kind)
			all = v;
		done |= v.kind && f.done;
	}
	return done ? all : FORM_UNKNOWN;
}

Form
form_load(Distinct *d, ThreadId t, InstId inst, InsId load, Form at)
{
	const Ins *ins = ir_ins(d->ir, load);
	Found it = {inst, ins, ins_arg(d->ir, ins, 0), 0};
	Form f;

	if (at.kind == FORM_UNSET)
		return at;
	f = form_never_written(d, ins, at);
	if (f.kind == FORM_NONE)
		f = form_locked_ticket(d, inst, load, at);
	if (f.kind == FORM_NONE)
		f = form_thread_local(d, t, inst, load);
	if (f.kind != FORM_NONE)
		return f;
	f = found_by_thread(d, t, &it, at);
	if (f.kind == FORM_NONE)
		f = form_local(d, t, inst, load);
	if (f.kind == FORM_NONE)
		f = form_filled(d, inst, load, at);
	if (f.kind == FORM_NONE)
		f = at.kind == FORM_OWN ? form_kept(d, t, inst, ins, at) : form_row(d, t, ins, at);
	return f.kind == FORM_NONE ? form_steady(d, t, inst, load, at) : f;
}
