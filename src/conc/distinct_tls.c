/* distinct_tls.c - what a thread finds in a thread-local variable.
 *
 *	me = fetch_add(&next, 1); ... a[me]++;
 *	if (me < 0) me = draw(); ... a[me]++;		me began with -1
 *
 * A variable that is accessed by nothing but its own name has one value for each instance, and is
 * written by it alone.  Where each store that the thread may run stores the same form, a load finds that,
 * if some store was certainly done before.  That is a must-problem on the part of the call graph that
 * the thread runs: a block begins with "done" where all ways to it end so, a call ends so if all that it
 * may run do where they return, and an instance begins so if all its calls do; nothing takes it back.  A
 * branch that shows that the variable is not what it began with is as good as a store, also where that was an earlier
 * task of the same thread's, if it stored a ticket: nobody else has that.  Both are greatest
 * fixed points on two values, so they end; that each is true of every run is shown by induction on
 * its steps. */
#include "conc/distinct_int.h"

#include "ir/arith.h"

#include <string.h>

enum { MAX_INSTS = 8192 };

struct Local {
	ThreadId t;
	SlotId cell;
	u32 width;
	u64 first; /* what the variable begins with, */
	bool known_first;
	Form form; /* of all stores; none while it is looked for */
	u8 *gives; /* [InstId]: has it certainly stored when it returns? */
	u8 *done;  /* [InstId]: has somebody certainly stored when it is called? */
	u8 *begin; /* [BlockId]: the same of the blocks of the instance that is looked at */
};

/* The thread-local variable that the address names, and where in it; null. */
static const Const *
named_variable(const Distinct *d, InstId inst, Val addr)
{
	const Fn *fn = pta_fn(d->p, inst);
	const Const *c;

	for (InsId def; val_is_reg(addr); addr = ins_arg(d->ir, ir_ins(d->ir, def), 0)) {
		def = fn_reg(d->ir, fn, addr)->def;
		if (!def || ir_ins(d->ir, def)->op != OP_COPY)
			return NULL;
	}
	c = val_is_const(addr) ? ir_const(d->ir, addr) : NULL;
	return c && c->kind == CONST_GLOBAL && d->ir->globals.at[c->ref].tls ? c : NULL;
}

/* The variable's place, where nothing but loads and stores of that width by its name come there; 0 else. */
static SlotId
cell_of(Distinct *d, InstId inst, InsId load)
{
	const Ins *ins = ir_ins(d->ir, load);
	const Const *c = named_variable(d, inst, ins_arg(d->ir, ins, 0));
	const Set *pts = pta_pts(d->p, inst, ins_arg(d->ir, ins, 0));
	SlotId cell = c && set_single(pts) ? set_first(pts) : 0;
	ObjId o = cell ? pta_slot(d->p, cell)->obj : 0;

	if (!o || d->ir->globals.at[c->ref].linkage == LINK_DECL || fresh_unknown(d->fresh, o) ||
	    !pta_slot_exact(d->p, cell))
		return 0;
	for (const Write *w = distinct_writes(d, o); w; w = w->next) {
		const Ins *by = ir_ins(d->ir, w->ins);
		const Const *to;
		if (!write_meets(d, w, cell, (ins->width + 7u) / 8))
			continue;
		to = by->op == OP_STORE ? named_variable(d, w->inst, ins_arg(d->ir, by, 0)) : NULL;
		if (!to || to->ref != c->ref || to->num != c->num || by->width != ins->width)
			return 0;
	}
	return cell;
}

/* Is ins of the instance an access of the variable? */
static bool
is_access(const Distinct *d, const struct Local *l, InstId inst, const Ins *ins, Op op)
{
	const Set *pts;

	if (ins->op != op || ins->width != l->width ||
	    !named_variable(d, inst, ins_arg(d->ir, ins, 0)))
		return false;
	pts = pta_pts(d->p, inst, ins_arg(d->ir, ins, 0));
	return set_single(pts) && set_first(pts) == l->cell;
}

static void
find_first(const Distinct *d, struct Local *l, const Const *c)
{
	const Global *g = &d->ir->globals.at[c->ref];

	l->known_first = true;
	for (u32 k = 0; k < g->ninit; k++) {
		const Init *i = &d->ir->inits.at[g->init + k];
		const Const *v = val_is_const(i->val) ? ir_const(d->ir, i->val) : NULL;

		if ((i64)i->off != c->num)
			continue;
		if (v && v->kind == CONST_INT)
			l->first = (u64)v->num;
		else
			l->known_first = v && v->kind == CONST_NULL;
	}
}

/* ---- what is stored --------------------------------------------------------------------- */

/* May what x does be done in the middle of another thread, to that one's variables?  Handlers are run so, and
 * what is called back. */
static bool
is_guest(const Distinct *d, ThreadId x)
{
	const Thread *t = thread_get(d->t, x);

	return x != 1 && (t->assumed || t->doubtful ||
			  ir_ins(d->ir, t->fork)->flags & (INS_REPEATS | INS_INTERRUPTS));
}

/* Does a guest store there? */
static bool
is_overwritten(Distinct *d, const struct Local *l)
{
	for (const Write *w = distinct_writes(d, pta_slot(d->p, l->cell)->obj); w; w = w->next)
		for (ThreadId x = 1; x < d->t->at.n; x++)
			if (x != l->t && is_guest(d, x) && set_has(&d->t->insts[x], w->inst) &&
			    is_access(d, l, w->inst, ir_ins(d->ir, w->ins), OP_STORE))
				return true;
	return false;
}

static Form
stored_form(Distinct *d, const struct Local *l)
{
	InstId use_inst = d->use_inst;
	InsId use = d->use;
	u32 tests = d->tests;
	Form all = {0};

	for (const Write *w = distinct_writes(d, pta_slot(d->p, l->cell)->obj);
	     w && all.kind != FORM_NONE; w = w->next) {
		Form f;
		if (!set_has(&d->t->insts[l->t], w->inst) ||
		    !is_access(d, l, w->inst, ir_ins(d->ir, w->ins), OP_STORE))
			continue;
		d->use_inst = w->inst;
		d->use = w->ins;
		d->tests = 0;
		f = form_eval(d, l->t, w->inst, ins_arg(d->ir, ir_ins(d->ir, w->ins), 1), 4);
		all = all.kind == FORM_UNSET || form_same(all, f) ? f : FORM_UNKNOWN;
		if (f.kind == FORM_UNSET)
			all = FORM_UNKNOWN;
	}
	d->use_inst = use_inst;
	d->use = use;
	d->tests = tests;
	return all.kind == FORM_UNSET ? FORM_UNKNOWN : all;
}

/* ---- has it been stored? ---------------------------------------------------------------- */

/* Does one of the thread's calls at ins certainly store? */
static bool
call_gives(const Distinct *d, const struct Local *l, InstId inst, InsId ins)
{
	u32 n, calls = 0;
	const Edge *e = pta_targets(d->p, inst, ins, &n);

	for (u32 k = 0; k < n; k++) {
		if (e[k].fork)
			continue;
		if (e[k].assumed || !l->gives[e[k].to])
			return false;
		calls++;
	}
	return calls > 0;
}

/* Goes through the block up to, and without, the instruction. */
static bool
walk(const Distinct *d, const struct Local *l, InstId inst, bool done, InsId from, InsId to)
{
	for (InsId i = from; i < to && !done; i++) {
		const Ins *ins = ir_ins(d->ir, i);
		done = ins->op == OP_CALL ? call_gives(d, l, inst, i)
					  : is_access(d, l, inst, ins, OP_STORE);
	}
	return done;
}

/* Does the branch at the end of block b show, on its way to the block `to`, that the variable is not what it
 * began with? */
static bool
shows(const Distinct *d, const struct Local *l, InstId inst, const Block *b, BlockId to)
{
	const Fn *fn = pta_fn(d->p, inst);
	const Ins *end = ir_ins(d->ir, b->ins + b->nins - 1), *cmp, *load;
	Val cond = end->op == OP_CBR ? ins_arg(d->ir, end, 0) : 0, x;
	InsId def = val_is_reg(cond) ? fn_reg(d->ir, fn, cond)->def : 0;
	const Const *k;
	u32 way = d->ir->succs.at[b->succ] == to;

	cmp = def ? ir_ins(d->ir, def) : NULL;
	if (!l->known_first || l->form.of != OF_TICKET || !cmp || cmp->op != OP_CMP ||
	    cmp->sub == CMP_FLOAT || b->exc == to || b->nsucc != 2 ||
	    d->ir->succs.at[b->succ] == d->ir->succs.at[b->succ + 1])
		return false;
	x = ins_arg(d->ir, cmp, 0);
	def = val_is_reg(x) ? fn_reg(d->ir, fn, x)->def : 0;
	load = def ? ir_ins(d->ir, def) : NULL;
	x = ins_arg(d->ir, cmp, 1);
	k = val_is_const(x) ? ir_const(d->ir, x) : NULL;
	if (!load || !is_access(d, l, inst, load, OP_LOAD) || !k ||
	    (k->kind != CONST_INT && k->kind != CONST_NULL))
		return false;
	return arith_compare(cmp->sub, arith_mask(l->first, l->width),
			     arith_mask(k->kind == CONST_INT ? (u64)k->num : 0, l->width),
			     (u16)l->width) != (way == 1);
}

/* Fills l->begin; true where it has certainly stored when it returns. */
static bool
flow(Distinct *d, struct Local *l, InstId inst)
{
	const Cfg *c = distinct_cfg(d, pta_inst(d->p, inst)->fn);
	const Fn *fn = c->fn;
	bool gives = true, changed = true;

	memset(l->begin, 1, fn->nblock + 1);
	l->begin[1] = 0;
	while (changed) {
		changed = false;
		for (u32 r = 0; r < c->nrpo; r++) {
			BlockId at = c->rpo[r];
			const Block *b = fn_block(d->ir, fn, at);
			bool end;
			end = walk(d, l, inst, l->begin[at], b->ins, b->ins + b->nins);
			GRAPH_FOR (s, &c->succ, at) {
				bool done =
				    *s == b->exc ? l->begin[at] : end || shows(d, l, inst, b, *s);
				changed |= l->begin[*s] && !done;
				l->begin[*s] &= done;
			}
		}
	}
	for (u32 r = 0; r < c->nrpo; r++) {
		const Block *b = fn_block(d->ir, fn, c->rpo[r]);
		if (ir_ins(d->ir, b->ins + b->nins - 1)->op == OP_RET)
			gives &= walk(d, l, inst, l->begin[c->rpo[r]], b->ins, b->ins + b->nins);
	}
	return gives;
}

/* Has it stored when control comes to ins?  l->begin is the instance's. */
static bool
done_at(Distinct *d, const struct Local *l, InstId inst, InsId ins)
{
	const Fn *fn = pta_fn(d->p, inst);
	BlockId b = cfg_block_of(d->ir, fn, ins);

	return walk(d, l, inst, l->begin[b], fn_block(d->ir, fn, b)->ins, ins);
}

/* What the calls of an instance, which has just been looked at, say of what they run. */
static bool
hand_down(Distinct *d, struct Local *l, InstId inst)
{
	const Inst *in = pta_inst(d->p, inst);
	bool changed = false;

	for (u32 k = in->edge; k < in->edge + in->nedge; k++) {
		const Edge *e = &d->p->edges.at[k];
		if (e->fork || !l->done[e->to] || l->done[inst] || done_at(d, l, inst, e->ins))
			continue;
		l->done[e->to] = 0;
		changed = true;
	}
	return changed;
}

/* Does the thread call the instance?  What it comes to otherwise begins as it does. */
static bool
is_called(const Distinct *d, const struct Local *l, InstId inst)
{
	const Inst *in = pta_inst(d->p, inst);

	for (u32 k = in->caller; k < in->caller + in->ncaller; k++) {
		const Edge *e = &d->p->edges.at[d->p->callers.at[k]];
		if (!e->fork && set_has(&d->t->insts[l->t], e->from))
			return inst != thread_get(d->t, l->t)->start;
	}
	return false;
}

static void
solve(Distinct *d, struct Local *l)
{
	const Set *insts = &d->t->insts[l->t];
	u32 most = 0;

	l->gives = arena_array(d->arena, u8, d->p->insts.n);
	l->done = arena_array(d->arena, u8, d->p->insts.n);
	SET_FOR (it, insts) {
		l->gives[it.x] = pta_fn(d->p, it.x)->nblock != 0;
		l->done[it.x] = l->gives[it.x] && is_called(d, l, it.x);
		most = MAX(most, pta_fn(d->p, it.x)->nblock);
	}
	l->begin = arena_array(d->arena, u8, most + 2);
	for (bool changed = true; changed;) {
		changed = false;
		SET_FOR (it, insts)
			if (l->gives[it.x] && !flow(d, l, it.x)) {
				l->gives[it.x] = 0;
				changed = true;
			}
	}
	for (bool changed = true; changed;) {
		changed = false;
		SET_FOR (it, insts)
			if (pta_fn(d->p, it.x)->nblock && !l->done[it.x]) {
				(void)flow(d, l, it.x);
				changed |= hand_down(d, l, it.x);
			}
	}
}

/* ---- the whole -------------------------------------------------------------------------- */

/* What is known of the variable that the load names, in thread t; null. */
static struct Local *
find_local(Distinct *d, ThreadId t, InstId inst, InsId load)
{
	SlotId cell = cell_of(d, inst, load);
	u32 width = ir_ins(d->ir, load)->width;
	struct Local *l;
	u32 *at;

	if (!cell)
		return NULL;
	at = map_at(d->arena, &d->local_of, map_pair(t, cell));
	if (*at)
		return d->locals.at[*at - 1]->width == width ? d->locals.at[*at - 1] : NULL;
	l = arena_new(d->arena, struct Local);
	*l = (struct Local){.t = t, .cell = cell, .width = width, .form = FORM_UNKNOWN};
	vec_push(d->arena, &d->locals, l);
	*at = d->locals.n;
	find_first(d, l, named_variable(d, inst, ins_arg(d->ir, ir_ins(d->ir, load), 0)));
	if (!is_overwritten(d, l))
		l->form = stored_form(d, l);
	if (l->form.kind != FORM_NONE)
		solve(d, l);
	return l;
}

Form
form_thread_local(Distinct *d, ThreadId t, InstId inst, InsId load)
{
	struct Local *l;

	if (!d->small || threads_is_crew(d->t, t) || d->p->insts.n > MAX_INSTS ||
	    !set_has(&d->t->insts[t], inst) ||
	    !named_variable(d, inst, ins_arg(d->ir, ir_ins(d->ir, load), 0)))
		return FORM_UNKNOWN;
	l = find_local(d, t, inst, load);
	if (!l || l->form.kind == FORM_NONE)
		return FORM_UNKNOWN;
	if (l->done[inst])
		return l->form;
	(void)flow(d, l, inst);
	return done_at(d, l, inst, load) ? l->form : FORM_UNKNOWN;
}
