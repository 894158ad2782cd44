/* fact.c - facts about the whole program that effects depend on.
 *
 * A call with a known argument may prove a fact, one that may have another
 * refutes it; a fact holds if it was proved and never refuted, and never does
 * if it was refuted, for certain, and not proved.  One that is assumed needs no
 * proof.  So locks may be counted where none is of a kind for which counting would be
 * wrong. */
#include "model/model_int.h"

enum { PROVED = 1, REFUTED = 2, UNSURE = 4 };

/* What a call with these arguments says; with args null they may be any. */
static void
consider(Apply *x, const Rule *r, const Val *args)
{
	for (const Effect *f = r->effects; f; f = f->next) {
		bool says = (f->verb == VERB_PROVE || f->verb == VERB_REFUTE) && f->a;
		Val v = args && says ? args[f->a->num] : 0;
		const Const *c = val_is_const(v) ? ir_const(x->in, v) : NULL;
		bool known = c && c->kind == CONST_INT;
		if (f->verb == VERB_PROVE && !f->a)
			x->holds[f->fact] |= PROVED;
		if (f->verb == VERB_PROVE && known && c->num == f->number)
			x->holds[f->fact] |= PROVED;
		if (f->verb == VERB_REFUTE && (!known || c->num == f->number))
			x->holds[f->fact] |= known ? REFUTED : UNSURE;
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
	for (u32 k = 1; k <= x->m->nfact; k++)
		x->holds[k] = x->holds[k] == PROVED || (!x->holds[k] && set_has(&x->m->assumed, k))
				  ? FACT_HOLDS
			      : x->holds[k] == REFUTED ? FACT_NEVER
						       : FACT_OPEN;
}
