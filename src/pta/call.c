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

/* Notes that site runs inst, certainly or as is assumed; false if that was known.  Where inst
 * ends its thread, that is the thread of the caller or the new one. */
static bool
connect(Solver *s, SiteId site, InstId inst, bool assumed)
{
	Site at = s->site.at[site];
	u32 *seen = map_at(s->a, &s->bound, map_pair(site, inst));

	if (*seen) {
		s->p->edges.at[*seen - 1].assumed &= assumed;
		return false;
	}
	vec_push(s->a, &s->p->edges, (Edge){at.inst, inst, at.ins, at.thread != 0, assumed});
	*seen = s->p->edges.n;
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

/* site runs to, as connect says, with the operands behind the first `skip` that are arguments. */
static void
bind(Solver *s, SiteId site, InstId to, u32 skip, bool assumed)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);
	const Fn *fn = pta_fn(s->p, to);

	if (!connect(s, site, to, assumed))
		return;
	for (u32 k = at.first + skip; k < i->narg; k++) {
		NodeId x = gen_value(s, at.inst, ins_arg(s->ir, i, k));
		u32 param = k - at.first + 1;
		if (param <= fn->nparam)
			node_edge(s, x, pta_inst(s->p, to)->node + param);
		else if (fn->flags & FN_VARIADIC)
			node_edge(s, x, inst_node(s, to, INST_REST));
	}
	bind_results(s, at, i, to);
}

/* The context of f where site calls it on the object, or on none. */
static CtxId
context(Solver *s, SiteId site, FnId f, ObjId receiver)
{
	Site at = s->site.at[site];
	const Obj *o = pta_obj(s->p, receiver);
	bool made = o->kind == OBJ_HEAP || o->kind == OBJ_STACK;

	if (receiver && policy_by_receiver(&s->policy, f) && obj_is_plain(s, receiver))
		return 0;
	if (receiver && policy_by_receiver(&s->policy, f))
		return policy_receiver(&s->policy, made ? pta_inst(s->p, o->inst)->ctx : 0,
				       made ? o->ins : 0, at.ins, f);
	return policy_context(&s->policy, pta_inst(s->p, at.inst)->ctx, at.ins, f, at.thread != 0);
}

void
call_bind(Solver *s, SiteId site, FnId callee, bool assumed)
{
	FnId f = call_resolve(s->ir, callee);

	if (s->ir->fns.at[f].nblock)
		bind(s, site, call_inst(s, f, context(s, site, f, 0)), 0, assumed);
}

/* ---- methods ----------------------------------------------------------------------- */

FnId
call_named(const Ir *ir, const Ins *i, u32 k)
{
	Val v = ins_arg(ir, i, k);

	if (!val_is_const(v) || ir_const(ir, v)->kind != CONST_FN)
		return 0;
	return call_resolve(ir, ir_const(ir, v)->ref);
}

void
call_on(Solver *s, SiteId site, FnId callee, SlotId receiver)
{
	FnId f = call_resolve(s->ir, callee);
	InstId to;

	if (!s->ir->fns.at[f].nblock)
		return;
	to = call_inst(s, f, context(s, site, f, pta_slot(s->p, receiver)->obj));
	bind(s, site, to, 1, false);
	if (s->ir->fns.at[f].nparam)
		node_give(s, pta_inst(s->p, to)->node + 1, receiver);
}

void
call_dispatch(Solver *s, SiteId site, SlotId receiver)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);
	ObjId o = pta_slot(s->p, receiver)->obj;
	ClassId c = obj_class_of(s, o);
	FnId named = call_named(s->ir, i, at.first - 1), f;

	if (named && !obj_within(s, o, s->ir->fns.at[named].class))
		return; /* such an object is no receiver of it */
	f = c ? obj_method(s, c, i->aux) : 0;
	if (!f)
		f = named;
	if (f)
		call_on(s, site, f, receiver);
}

void
call_hierarchy(Solver *s, SiteId site)
{
	Site at = s->site.at[site];
	const Ins *i = ir_ins(s->ir, at.ins);
	FnId named = call_named(s->ir, i, at.first - 1);
	ClassId super = s->ir->fns.at[named].class;

	for (ClassId c = 1; named && c < s->ir->classes.n; c++) {
		FnId f = class_within(s->ir, c, super) ? obj_method(s, c, i->aux) : 0;
		if (f)
			bind(s, site, call_inst(s, f, 0), 1, false);
	}
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
	s->unknown_edges += connect(s, site, to, true);
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
	if (!s->ir->fns.at[f].nblock || call_is_back(s, f))
		return;
	map_put(s->a, &s->bound, map_pair(0, f), 1);
	vec_push(s->a, &s->callbacks, f);
	for (u32 k = 0; k < s->unknown.n && !(k && s->p->cut); k++)
		call_from_unknown(s, s->unknown.at[k], f);
}

bool
call_is_back(const Solver *s, FnId f)
{
	return map_get(&s->bound, map_pair(0, f));
}
