/* fact.c - facts about the whole program that effects depend on.
 *
 * A call with a known argument may prove a fact, one that may have another
 * refutes it; a fact holds if it was proved and never refuted, and never does
 * if it was refuted, for certain, and not proved.  One that is assumed needs no
 * proof; what a variable begins with may refute it, too.  So locks may be counted where none is of a kind for which counting would be
 * wrong. */
#include "model/model_int.h"

#include <string.h>

enum { PROVED = 1, REFUTED = 2, UNSURE = 4 };
enum { INITIAL_DEPTH = 32 }; /* of types in each other */

/* What a call with these arguments says; with args null they may be any. */
static void
consider(Apply *x, const Rule *r, const Val *args)
{
	for (const Effect *f = r->effects; f; f = f->next) {
		bool says = (f->verb == VERB_PROVE || f->verb == VERB_REFUTE) && f->a;
		Val v = args && says ? args[f->a->num] : 0;
		const Const *c = val_is_const(v) ? ir_const(x->in, v) : NULL;
		bool known = c && c->kind == CONST_INT;
		bool fits = known && (c->num == f->number) != f->is_not;
		if ((f->verb == VERB_PROVE || f->verb == VERB_REFUTE) && !f->a)
			x->holds[f->fact] |= f->verb == VERB_PROVE ? PROVED : REFUTED;
		if (f->verb == VERB_PROVE && fits)
			x->holds[f->fact] |= PROVED;
		if (f->verb == VERB_REFUTE && f->a && (!known || fits))
			x->holds[f->fact] |= known ? REFUTED : UNSURE;
	}
}

/* Does an object of that type have, at off, what x speaks of? */
static bool
initial_at(const Ir *in, TypeId type, u64 off, const Initial *x, u32 depth)
{
	const Type *t = &in->types.at[type];

	if (!type || depth > INITIAL_DEPTH)
		return false;
	if (off == x->off && !strcmp(ir_str(in, t->name), x->type))
		return true;
	if (t->kind == TYPE_ARRAY && t->elem && in->types.at[t->elem].size)
		return initial_at(in, t->elem, off % in->types.at[t->elem].size, x, depth + 1);
	if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
		return false;
	for (u32 k = t->member; k < t->member + t->nmember; k++) {
		const Member *m = &in->members.at[k];
		u64 size = in->types.at[m->type].size;
		if (off >= m->off && off - m->off < size &&
		    initial_at(in, m->type, off - m->off, x, depth + 1))
			return true;
	}
	return false;
}

/* What nobody gives a type, as the value of a literal, is of any. */
static void
consider_initials(Apply *x, const Initial *initial)
{
	const Ir *in = x->in;

	for (GlobalId g = 1; g < in->globals.n; g++) {
		const Global *global = &in->globals.at[g];
		for (u32 k = 0; k < global->ninit; k++) {
			const Init *i = &in->inits.at[global->init + k];
			const Const *c = ir_const(in, i->val);
			if (c->kind != CONST_INT || c->num != initial->number)
				continue;
			if (global->type && initial_at(in, global->type, i->off, initial, 0))
				x->holds[initial->fact] |= REFUTED;
			if (!global->type && i->off == initial->off)
				x->holds[initial->fact] |= UNSURE;
		}
	}
}

void
apply_facts(Apply *x)
{
	const Ir *in = x->in;

	x->holds = arena_array(x->out->arena, u8, x->m->nfact + 1);
	if (!x->m->nfact)
		return;
	for (InsId k = 1; k < in->ins.n; k++) {
		const Ins *i = ir_ins(in, k);
		FnId f = apply_callee(x, i);
		const Rule *r =
		    f ? models_find(x->m, ir_str(in, in->fns.at[f].name), i->narg - 1, false)
		      : NULL;
		if (r)
			consider(x, r, in->args.at + i->arg + 1);
	}
	for (FnId f = 1; f < in->fns.n; f++) {
		const Rule *r = x->taken[f] && !x->kept[f]
				    ? models_find(x->m, ir_str(in, in->fns.at[f].name),
						  in->fns.at[f].nparam, false)
				    : NULL;
		if (r)
			consider(x, r, NULL);
	}
	for (u32 k = 0; k < x->m->initials.n; k++)
		consider_initials(x, &x->m->initials.at[k]);
	for (u32 k = 0; k < x->m->layouts.n; k++)
		if (part_find(x, x->m->layouts.at[k].part) >= PART_MANY)
			x->holds[x->m->layouts.at[k].fact] |= PROVED;
	for (u32 k = 1; k <= x->m->nfact; k++)
		x->holds[k] = x->holds[k] == PROVED || (!x->holds[k] && set_has(&x->m->assumed, k))
				  ? FACT_HOLDS
			      : x->holds[k] == REFUTED ? FACT_NEVER
						       : FACT_OPEN;
}
