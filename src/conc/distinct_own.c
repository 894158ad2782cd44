/* distinct_own.c - objects that memory keeps apart for the instances of a thread.
 *
 * Rows: an array whose every store puts an object there that was made for it,
 * and that starts with different ones, holds each object once; so the objects that two instances find at elements
 * of their own are two.  And what an instance makes itself, or its creator made
 * in its round, is its own; so is what it finds in an object of its own that
 * nothing else is ever stored to.  Both are asked of all writes to that memory,
 * by anyone. */
#include "conc/distinct_int.h"

#include "conc/access.h"

enum { NESTED = 4 };

/* Is v, which the store puts somewhere, a new object each time? */
static bool
new_each_time(Distinct *d, InstId inst, InsId store)
{
	const Cfg *cfg = distinct_cfg(d, pta_inst(d->p, inst)->fn);
	Val v = ins_arg(d->ir, ir_ins(d->ir, store), 1);
	InsId def = val_is_reg(v) ? fn_reg(d->ir, cfg->fn, v)->def : 0;
	BlockId b = def ? cfg_block_of(d->ir, cfg->fn, def) : 0;
	u32 n;
	const Edge *e;

	if (!def || cfg->loop_of[b] != cfg->loop_of[cfg_block_of(d->ir, cfg->fn, store)] ||
	    (cfg_in_cycle(cfg, b) && !cfg->loop_of[b]))
		return false;
	if (ir_ins(d->ir, def)->op == OP_ALLOC)
		return ir_ins(d->ir, def)->sub != ALLOC_STACK;
	if (ir_ins(d->ir, def)->op != OP_CALL)
		return false;
	e = pta_targets(d->p, inst, def, &n);
	for (u32 i = 0; i < n; i++)
		if (!fresh_returns(d->fresh, e[i].to))
			return false;
	return n > 0;
}

/* What the object starts with, if it is a global. */
static const Init *
first_contents(const Distinct *d, ObjId o, u32 *n)
{
	const Obj *obj = pta_obj(d->p, o);
	const Global *g = obj->kind == OBJ_GLOBAL ? &d->ir->globals.at[obj->ref] : NULL;

	*n = g ? g->ninit : 0;
	return *n ? &d->ir->inits.at[g->init] : NULL;
}

/* Does it start with one address of each global at most? */
static bool
starts_once(Distinct *d, ObjId o)
{
	Map seen = {0};
	u32 n;
	const Init *in = first_contents(d, o, &n);

	for (u32 k = 0; k < n; k++) {
		const Const *c = ir_const(d->ir, in[k].val);
		if (c->kind == CONST_GLOBAL && (*map_at(d->arena, &seen, c->ref))++)
			return false;
	}
	return true;
}

/* Does the object hold each object in one element at most? */
static bool
holds_once(Distinct *d, ObjId o)
{
	u32 *known = map_at(d->arena, &d->once, o);
	Map stored = {0};

	if (*known)
		return *known == 2;
	*known = 1;
	if (pta_obj(d->p, o)->kind == OBJ_EXTERN || fresh_unknown(d->fresh, o) ||
	    !starts_once(d, o))
		return false;
	for (const Write *w = distinct_writes(d, o); w; w = w->next) {
		const Ins *ins = ir_ins(d->ir, w->ins);
		if (ins->op != OP_STORE)
			return false;
		if (ins->flags & INS_FINAL || write_clears(d, w, d->ir->ptr_bytes))
			continue;
		if (!new_each_time(d, w->inst, w->ins) ||
		    (*map_at(d->arena, &stored, map_pair(w->inst, ins_arg(d->ir, ins, 1))))++)
			return false; /* or one object twice */
	}
	*map_at(d->arena, &d->once, o) = 2;
	return true;
}

Form
form_row(Distinct *d, ThreadId t, const Ins *load, Form at)
{
	u32 family;

	if (at.kind != FORM_ADDR || !at.scale || load->width != 8 * d->ir->ptr_bytes ||
	    !holds_once(d, pta_slot(d->p, at.base)->obj))
		return FORM_UNKNOWN;
	family = family_of(d, t, at, load->width / 8);
	return family ? (Form){.kind = FORM_OWN, .base = OWN_ROW | family} : FORM_UNKNOWN;
}

/* Is inst run by no other thread than t, and its like? */
static bool
only_of(Distinct *d, ThreadId t, InstId inst)
{
	if (!d->only) {
		d->only = arena_array(d->arena, ThreadId, d->p->insts.n);
		for (ThreadId x = 1; x < d->t->at.n; x++)
			SET_FOR (it, &d->t->insts[x])
				d->only[it.x] = d->only[it.x] ? UINT32_MAX : x;
	}
	return d->only[inst] == t;
}

Form
form_self_made(Distinct *d, ThreadId t, InstId inst, const Ins *alloc)
{
	return d->makers[t] && alloc->sub != ALLOC_STACK && only_of(d, t, inst)
		   ? (Form){.kind = FORM_OWN, .base = OWN_SELF}
		   : FORM_UNKNOWN;
}

/* Are both in objects that tell by who made them whose they are, or in one and the same?  What
 * an instance finds in a row somebody else may have made. */
static bool
of_same_owner(Form x, Form y)
{
	return form_same(x, y) ||
	       (x.kind == FORM_OWN && y.kind == FORM_OWN && !((x.base | y.base) & OWN_ROW));
}

/* Does the write put something of the instance's own, or nothing, where its own
 * thread finds it? */
static bool
stores_own(Distinct *d, ThreadId t, const Write *w, Form at)
{
	const Ins *ins = ir_ins(d->ir, w->ins);
	Form v, to;

	if (ins->op != OP_STORE)
		return false;
	v = form_const_null(d->ir, ins_arg(d->ir, ins, 1)) ? (Form){.kind = FORM_OWN} : (Form){0};
	if (only_of(d, t, w->inst)) {
		to = form_eval(d, t, w->inst, ins_arg(d->ir, ins, 0), 0);
		if (!v.kind)
			v = form_eval(d, t, w->inst, ins_arg(d->ir, ins, 1), 0);
	} else {
		/* What is not stored is not there. */
		if (!made_before(d, d->makers[t], w->inst, w->ins, true))
			return false;
		to = form_made(d, d->makers[t], w->inst, ins_arg(d->ir, ins, 0), 0);
		if (!v.kind)
			v = form_made(d, d->makers[t], w->inst, ins_arg(d->ir, ins, 1), 0);
	}
	return of_same_owner(to, at) && v.kind == FORM_OWN;
}

Form
form_kept(Distinct *d, ThreadId t, InstId inst, const Ins *load, Form at)
{
	bool own = true, any = false;
	u32 inits;

	if (at.kind != FORM_OWN || !d->makers[t] || load->width != 8 * d->ir->ptr_bytes ||
	    d->nested > NESTED)
		return FORM_UNKNOWN;
	d->nested++;
	SET_FOR (it, pta_pts(d->p, inst, ins_arg(d->ir, load, 0))) {
		ObjId o = pta_slot(d->p, it.x)->obj;
		own &= pta_obj(d->p, o)->kind != OBJ_EXTERN && !fresh_unknown(d->fresh, o) &&
		       !first_contents(d, o, &inits);
		for (const Write *w = own ? distinct_writes(d, o) : NULL; w && own; w = w->next)
			if (write_meets(d, w, it.x, load->width / 8)) {
				own = stores_own(d, t, w, at);
				any = true;
			}
	}
	d->nested--;
	return own && any ? (Form){.kind = FORM_OWN, .base = OWN_SELF} : FORM_UNKNOWN;
}
