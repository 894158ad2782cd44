/* call.c - instances, and what happens where one runs another.
 *
 * An instance is made when an edge first reaches it; its constraints follow
 * from the queue of new instances.  Each (site, instance) is bound once.
 *
 * Unknown code may call every function whose address it has got, with
 * arguments that it knows, whenever it runs: each such function is a callee of
 * every site that runs unknown code, not only of the one that was given it.
 * Sites times functions may be too many (a program whose libraries are all
 * unknown): after MAX_UNKNOWN such edges a function is called at one site only,
 * still with unknown arguments, and Pta.cut says so. */
#include "pta/pta_int.h"

enum { MAX_UNKNOWN = 200000 };

FnId
call_resolve(const Ir *ir, FnId f)
{
	for (u32 n = 0; ir->fns.at[f].linkage == LINK_ALIAS && ir->fns.at[f].alias && n < ir->fns.n;
	     n++)
		f = ir->fns.at[f].alias;
	return f;
}

InstId
call_inst(Solver *s, FnId f, CtxId ctx)
{
	u32 *id = map_at(s->a, &s->inst_index, map_pair(f, ctx));

	if (*id)
		return *id;
	*id = s->p->insts.n;
	vec_push(s->a, &s->p->insts, (Inst){.fn = f, .ctx = ctx, .node = s->node.n});
	vec_push(s->a, &s->new_insts, *id);
	for (u32 n = s->ir->fns.at[f].nreg + INST_NODES; n; n--)
		node_new(s);
	return *id;
}

SiteId
call_site(Solver *s, InstId inst, InsId ins, u32 first, ObjId thread)
{
	vec_push(s->a, &s->site,
		 (Site){.inst = inst, .ins = ins, .first = first, .thread = thread});
	return s->site.n - 1;
}

/* Notes that site runs inst; false if that was known.  Where inst ends its
 * thread, that is the thread of the caller or the new one. */
static bool
connect(Solver *s, SiteId site, InstId inst)
{
	Site at = s->site.at[site];
	u32 *seen = map_at(s->a, &s->bound, map_pair(site, inst));

	if (*seen)
		return false;
	*seen = 1;
	vec_push(s->a, &s->p->edges, (Edge){at.inst, inst, at.ins, at.thread != 0});
	node_edge(s, inst_node(s, inst, INST_TEXIT),
		  at.thread ? obj_info(s, at.thread)->result : inst_node(s, at.inst, INST_TEXIT));
	return true;
}

static void
bind_results(Solver *s, Site at, const Ins *i, InstId callee)
{
	const Inst *from = pta_inst(s->p, at.inst), *to = pta_inst(s->p, callee);

	if (at.thread) {
		node_edge(s, to->node, obj_info(s, at.thread)->result);
		return;
	}
	if (i->dst)
		node_edge(s, to->node, from->node + i->dst);
	node_edge(s, inst_node(s, callee, INST_RAISED), inst_node(s, at.inst, INST_RAISED));
}

void
call_bind(Solver *s, SiteId site, FnId callee)
{
	Site at = s->site.at[site];
	FnId f = call_resolve(s->ir, callee);
	const Fn *fn = &s->ir->fns.at[f];
	const Ins *i = ir_ins(s->ir, at.ins);
	CtxId ctx;
	InstId to;

	if (!fn->nblock)
		return;
	ctx = policy_context(&s->policy, pta_inst(s->p, at.inst)->ctx, at.ins, f, at.thread != 0);
	to = call_inst(s, f, ctx);
	if (!connect(s, site, to))
		return;
	for (u32 k = at.first; k < i->narg; k++) {
		NodeId x = gen_value(s, at.inst, ins_arg(s->ir, i, k));
		u32 param = k - at.first + 1;
		if (param <= fn->nparam)
			node_edge(s, x, pta_inst(s->p, to)->node + param);
		else if (fn->flags & FN_VARIADIC)
			node_edge(s, x, inst_node(s, to, INST_REST));
	}
	bind_results(s, at, i, to);
}

void
call_dispatch(Solver *s, SiteId site, ObjId receiver)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);
	ClassId c = obj_class_of(s, receiver);
	Val named = ins_arg(s->ir, i, at.first - 1);
	FnId f = c ? class_method(s->ir, c, i->aux) : 0;

	if (!f && val_is_const(named) && ir_const(s->ir, named)->kind == CONST_FN) {
		f = ir_const(s->ir, named)->ref;
		if (!class_within(s->ir, c, s->ir->fns.at[f].class))
			f = 0; /* such an object is no receiver of it */
	}
	if (f)
		call_bind(s, site, f);
}

/* ---- unknown code ------------------------------------------------------------------ */

static void
call_from_unknown(Solver *s, SiteId site, FnId f)
{
	InstId to = call_inst(s, f, 0);

	if (s->unknown_edges >= MAX_UNKNOWN && set_has(&s->called_back, to)) {
		s->p->cut = true;
		return;
	}
	s->unknown_edges += connect(s, site, to);
	if (!set_add(s->a, &s->called_back, to))
		return;
	for (u32 k = 1; k <= s->ir->fns.at[f].nparam; k++)
		node_edge(s, s->known_out, pta_inst(s->p, to)->node + k);
	node_edge(s, s->known_out, inst_node(s, to, INST_REST));
	node_edge(s, pta_inst(s->p, to)->node, s->known_out);
	node_edge(s, inst_node(s, to, INST_TEXIT), s->known_out); /* of a thread of its own */
}

void
call_unknown(Solver *s, SiteId site)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);

	if (at.unknown)
		return;
	s->site.at[site].unknown = true;
	vec_push(s->a, &s->unknown, site);
	for (u32 k = at.first; k < i->narg; k++)
		node_edge(s, gen_value(s, at.inst, ins_arg(s->ir, i, k)), s->known_out);
	if (i->dst && !at.thread)
		node_edge(s, s->known_out, gen_value(s, at.inst, i->dst));
	for (u32 k = 0; k < s->callbacks.n && !s->p->cut; k++)
		call_from_unknown(s, site, s->callbacks.at[k]);
}

void
call_back(Solver *s, FnId f)
{
	f = call_resolve(s->ir, f);
	if (!s->ir->fns.at[f].nblock || map_get(&s->bound, map_pair(0, f)))
		return;
	map_put(s->a, &s->bound, map_pair(0, f), 1);
	vec_push(s->a, &s->callbacks, f);
	for (u32 k = 0; k < s->unknown.n && !(k && s->p->cut); k++)
		call_from_unknown(s, s->unknown.at[k], f);
}
