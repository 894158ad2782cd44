/* check.c - the invariants of the tables; see ir.h.
 *
 * Runs on what a front end built and on what ir_read took from bytes that
 * nobody vouches for, so nothing is followed before its id has been compared
 * with the size of its table.  Cycles are found as components of a graph: the
 * whole check is linear but for the dominators. */
#include "ir/check_int.h"

#include "base/graph.h"

#include <stdarg.h>

bool
check_fail(Check *c, const char *fmt, ...)
{
	va_list ap;

	if (!c->error) {
		va_start(ap, fmt);
		c->error = arena_vprintf(c->ir->arena, fmt, ap);
		va_end(ap);
	}
	return false;
}

/* ---- cycles ------------------------------------------------------------- */

typedef Vec(Arc) Arcs;

/* A node of a cycle of the graph, 0 if there is none. */
static u32
find_cycle(Check *c, u32 n, const Arcs *arcs)
{
	Graph g;
	Sccs s;

	for (u32 k = 0; k < arcs->n; k++)
		if (arcs->at[k].from == arcs->at[k].to)
			return arcs->at[k].from;
	graph_build(&g, &c->scratch, n, arcs->at, arcs->n);
	graph_sccs(&s, &c->scratch, &g);
	for (u32 k = 0; k < s.n; k++)
		if (s.first[k + 1] - s.first[k] > 1)
			return s.nodes[s.first[k]];
	return 0;
}

/* ---- types -------------------------------------------------------------- */

static bool
check_type(Check *c, TypeId id)
{
	const Ir *ir = c->ir;
	const Type *t = &ir->types.at[id];

	if (t->kind > TYPE_CLASS)
		return check_fail(c, "type t%u: unknown kind %u", id, t->kind);
	if (!check_str(c, t->name))
		return check_fail(c, "type t%u: its name is not in the string table", id);
	if (t->elem >= ir->types.n)
		return check_fail(c, "type t%u: there is no element type t%u", id, t->elem);
	if (t->kind == TYPE_ARRAY && !t->elem)
		return check_fail(c, "type t%u: an array needs an element type", id);
	if (!check_range(t->member, t->nmember, ir->members.n))
		return check_fail(c, "type t%u: its members are outside the table", id);
	for (u32 k = 0; k < t->nmember; k++) {
		const Member *m = &ir->members.at[t->member + k];
		if (!m->type || m->type >= ir->types.n)
			return check_fail(c, "type t%u: member %u has no type", id, k);
		if (!check_str(c, m->name))
			return check_fail(
			    c, "type t%u: member %u has a name outside the string table", id, k);
		if (t->size && m->off > t->size)
			return check_fail(c, "type t%u: member %u lies behind its end", id, k);
	}
	return true;
}

/* What contains what by value must end. */
static bool
check_types(Check *c)
{
	const Ir *ir = c->ir;
	Arcs arcs = {0};
	u32 cycle;

	for (TypeId id = 1; id < ir->types.n; id++) {
		const Type *t = &ir->types.at[id];
		if (!check_type(c, id))
			return false;
		if (t->kind == TYPE_ARRAY)
			vec_push(&c->scratch, &arcs, (Arc){id, t->elem});
		for (u32 k = 0; t->kind != TYPE_FN && t->kind != TYPE_PTR && k < t->nmember; k++)
			vec_push(&c->scratch, &arcs, (Arc){id, ir->members.at[t->member + k].type});
	}
	cycle = find_cycle(c, ir->types.n, &arcs);
	return !cycle || check_fail(c, "type t%u: it contains itself by value", cycle);
}

/* ---- constants and positions -------------------------------------------- */

static bool
check_const(Check *c, ConstId id)
{
	const Ir *ir = c->ir;
	const Const *k = &ir->consts.at[id];
	bool address = k->kind == CONST_GLOBAL || k->kind == CONST_FN || k->kind == CONST_CLASS;
	u32 limit = k->kind == CONST_GLOBAL ? ir->globals.n
		    : k->kind == CONST_FN   ? ir->fns.n
					    : ir->classes.n;

	if (k->kind > CONST_OPAQUE)
		return check_fail(c, "constant %u: unknown kind %u", id, k->kind);
	if (address && (!k->ref || k->ref >= limit))
		return check_fail(c, "constant %u: it is the address of nothing", id);
	if (!address && k->ref)
		return check_fail(c, "constant %u: only an address refers to something", id);
	if ((address || k->kind == CONST_NULL) &&
	    (k->rt != RT_PTR || k->width != ir->ptr_bytes * 8))
		return check_fail(c, "constant %u: an address is a pointer of %u bytes", id,
				  ir->ptr_bytes);
	if (k->kind == CONST_INT && (k->rt != RT_INT || k->width > 64))
		return check_fail(c, "constant %u: an integer has at most 64 bits", id);
	if (k->kind == CONST_INT && k->width && k->width < 64 &&
	    k->num != (i64)((u64)k->num << (64 - k->width)) >> (64 - k->width))
		return check_fail(c, "constant %u: it is not sign-extended from %u bits", id,
				  k->width);
	if (k->kind != CONST_INT && k->kind != CONST_GLOBAL && k->num)
		return check_fail(c, "constant %u: only integers and globals have a number", id);
	return true;
}

static bool
check_srcs(Check *c)
{
	for (SrcId id = 1; id < c->ir->srcs.n; id++) {
		const Src *s = &c->ir->srcs.at[id];
		if (!s->file || !check_str(c, s->file))
			return check_fail(c, "position %u: it has no file", id);
	}
	return true;
}

/* ---- globals ------------------------------------------------------------ */

static bool
check_inits(Check *c, GlobalId id)
{
	const Ir *ir = c->ir;
	const Global *g = &ir->globals.at[id];

	for (u32 k = 0; k < g->ninit; k++) {
		const Init *i = &ir->inits.at[g->init + k];
		u64 bytes;
		if (!val_is_const(i->val) || !val_const(i->val) ||
		    val_const(i->val) >= ir->consts.n)
			return check_fail(c, "global g%u: initialiser %u is no constant", id, k);
		bytes = (ir_const(ir, i->val)->width + 7u) / 8;
		if (i->off > g->size || bytes > g->size - i->off)
			return check_fail(c, "global g%u: initialiser %u lies behind its end", id,
					  k);
	}
	return true;
}

static bool
check_global(Check *c, GlobalId id)
{
	const Ir *ir = c->ir;
	const Global *g = &ir->globals.at[id];

	if (!g->name || !check_str(c, g->name))
		return check_fail(c, "global g%u: it has no name", id);
	if (!check_str(c, g->pretty) || !check_str(c, g->unit) || !check_str(c, g->section))
		return check_fail(c, "global g%u: a name is outside the string table", id);
	if (g->linkage > LINK_ALIAS)
		return check_fail(c, "global g%u: unknown linkage %u", id, g->linkage);
	if (g->type >= ir->types.n)
		return check_fail(c, "global g%u: there is no type t%u", id, g->type);
	if (g->src >= ir->srcs.n)
		return check_fail(c, "global g%u: its position is outside the table", id);
	if (g->alias >= ir->globals.n || (g->linkage == LINK_ALIAS) != (g->alias != 0))
		return check_fail(c, "global g%u: an alias, and only that, names another global",
				  id);
	if (!check_range(g->init, g->ninit, ir->inits.n))
		return check_fail(c, "global g%u: its initialisers are outside the table", id);
	if (g->ninit && (g->linkage == LINK_DECL || g->linkage == LINK_ALIAS))
		return check_fail(c, "global g%u: a declaration has no initialiser", id);
	return check_inits(c, id);
}

static bool
check_globals(Check *c)
{
	Arcs arcs = {0};
	u32 cycle;

	for (GlobalId id = 1; id < c->ir->globals.n; id++) {
		if (!check_global(c, id))
			return false;
		if (c->ir->globals.at[id].alias)
			vec_push(&c->scratch, &arcs, (Arc){id, c->ir->globals.at[id].alias});
	}
	cycle = find_cycle(c, c->ir->globals.n, &arcs);
	return !cycle || check_fail(c, "global g%u: it is an alias of itself", cycle);
}

/* ---- classes ------------------------------------------------------------ */

static bool
check_fields(Check *c, ClassId id)
{
	const Ir *ir = c->ir;
	const Class *x = &ir->classes.at[id];

	if (!check_range(x->field, x->nfield, ir->fields.n))
		return check_fail(c, "class c%u: its fields are outside the table", id);
	for (u32 k = 0; k < x->nfield; k++) {
		const Field *f = &ir->fields.at[x->field + k];
		if (f->class != id)
			return check_fail(c, "class c%u: field f%u belongs to another class", id,
					  x->field + k);
		if (!f->name || !check_str(c, f->name) || f->type >= ir->types.n)
			return check_fail(c, "class c%u: field f%u has no name or type", id,
					  x->field + k);
		if (!check_str(c, f->guard))
			return check_fail(
			    c, "class c%u: field f%u has a guard outside the string table", id,
			    x->field + k);
	}
	return true;
}

static bool
check_class(Check *c, ClassId id, Arcs *arcs)
{
	const Ir *ir = c->ir;
	const Class *x = &ir->classes.at[id];

	if (!x->name || !check_str(c, x->name) || !check_str(c, x->unit))
		return check_fail(c, "class c%u: it has no name", id);
	if (x->super >= ir->classes.n || x->cinit >= ir->fns.n)
		return check_fail(c, "class c%u: its superclass or initialiser does not exist", id);
	if (!check_range(x->iface, x->niface, ir->refs.n) ||
	    !check_range(x->method, x->nmethod, ir->refs.n))
		return check_fail(c, "class c%u: its interfaces or methods are outside the table",
				  id);
	if (x->super)
		vec_push(&c->scratch, arcs, (Arc){id, x->super});
	for (u32 k = 0; k < x->niface; k++) {
		ClassId i = ir->refs.at[x->iface + k];
		if (!i || i >= ir->classes.n)
			return check_fail(c, "class c%u: interface %u does not exist", id, k);
		vec_push(&c->scratch, arcs, (Arc){id, i});
	}
	for (u32 k = 0; k < x->nmethod; k++)
		if (!ir->refs.at[x->method + k] || ir->refs.at[x->method + k] >= ir->fns.n)
			return check_fail(c, "class c%u: method %u does not exist", id, k);
	return check_fields(c, id);
}

static bool
check_classes(Check *c)
{
	Arcs arcs = {0};
	u32 cycle, field = 1;

	for (ClassId id = 1; id < c->ir->classes.n; id++) {
		const Class *x = &c->ir->classes.at[id];
		if (!check_class(c, id, &arcs))
			return false;
		if (x->nfield && x->field != field)
			return check_fail(c, "class c%u: its fields do not follow those before",
					  id);
		field += x->nfield;
	}
	if (field != c->ir->fields.n)
		return check_fail(c, "field f%u: it belongs to no class", field);
	cycle = find_cycle(c, c->ir->classes.n, &arcs);
	return !cycle || check_fail(c, "class c%u: it inherits from itself", cycle);
}

/* ---- functions ---------------------------------------------------------- */

static bool
check_fn_ids(Check *c, FnId id)
{
	const Ir *ir = c->ir;
	const Fn *f = &ir->fns.at[id];

	if (!f->name || !check_str(c, f->name))
		return check_fail(c, "function f%u: it has no name", id);
	if (!check_str(c, f->pretty) || !check_str(c, f->proto) || !check_str(c, f->unit))
		return check_fail(c, "function f%u: a name is outside the string table", id);
	if (f->linkage > LINK_ALIAS)
		return check_fail(c, "function f%u: unknown linkage %u", id, f->linkage);
	if (f->ret > RT_AGG)
		return check_fail(c, "function f%u: unknown result type %u", id, f->ret);
	if (f->class >= ir->classes.n)
		return check_fail(c, "function f%u: there is no class c%u", id, f->class);
	if (f->src >= ir->srcs.n)
		return check_fail(c, "function f%u: its position is outside the table", id);
	if (f->alias >= ir->fns.n || (f->linkage == LINK_ALIAS) != (f->alias != 0))
		return check_fail(
		    c, "function f%u: an alias, and only that, names another function", id);
	return true;
}

static bool
check_fn(Check *c, FnId id)
{
	const Ir *ir = c->ir;
	const Fn *f = &ir->fns.at[id];
	bool defined = f->linkage != LINK_DECL && f->linkage != LINK_ALIAS;

	if (!check_fn_ids(c, id))
		return false;
	if (defined && !f->nblock)
		return check_fail(c, "function f%u: it is defined but has no body", id);
	if (!defined && f->nblock)
		return check_fail(c, "function f%u: a declaration or alias has no body", id);
	if (f->reg >= ir->regs.n || !check_range(f->reg + 1, f->nreg, ir->regs.n))
		return check_fail(c, "function f%u: its registers are outside the table", id);
	if (f->nparam > f->nreg && (f->nblock || f->nreg))
		return check_fail(c, "function f%u: its parameters are not registers", id);
	if (!check_range(f->block, f->nblock, ir->blocks.n) ||
	    !check_range(f->ins, f->nins, ir->ins.n))
		return check_fail(
		    c, "function f%u: its blocks or instructions are outside the table", id);
	for (u32 r = 1; r <= f->nreg; r++)
		if (fn_reg(ir, f, r)->rt > RT_AGG || !check_str(c, fn_reg(ir, f, r)->name))
			return check_fail(c, "function f%u: register %u has no proper type or name",
					  id, r);
	return !f->nblock || check_body(c, id);
}

/* Ranges must not overlap, or a small file could make much work: the sums say
 * so. */
static bool
check_totals(Check *c)
{
	const Ir *ir = c->ir;
	u64 members = 0, inits = 0, regs = 0, blocks = 0, ins = 0, args = 0, succs = 0, refs = 0;

	for (u32 k = 1; k < ir->types.n; k++)
		members += ir->types.at[k].nmember;
	for (u32 k = 1; k < ir->globals.n; k++)
		inits += ir->globals.at[k].ninit;
	for (u32 k = 1; k < ir->fns.n; k++) {
		regs += ir->fns.at[k].nreg;
		blocks += ir->fns.at[k].nblock;
		ins += ir->fns.at[k].nins;
	}
	for (u32 k = 1; k < ir->ins.n; k++)
		args += ir->ins.at[k].narg;
	for (u32 k = 1; k < ir->blocks.n; k++)
		succs += ir->blocks.at[k].nsucc;
	for (u32 k = 1; k < ir->classes.n; k++)
		refs += (u64)ir->classes.at[k].niface + ir->classes.at[k].nmethod;
	if (members >= ir->members.n || inits >= ir->inits.n || regs >= ir->regs.n ||
	    blocks >= ir->blocks.n || ins >= ir->ins.n || args >= ir->args.n ||
	    succs >= ir->succs.n || refs >= ir->refs.n)
		return check_fail(c, "two definitions share a part of a table");
	return true;
}

static bool
check_fns(Check *c)
{
	Arcs arcs = {0};
	u32 cycle;

	for (FnId id = 1; id < c->ir->fns.n; id++) {
		if (!check_fn(c, id))
			return false;
		if (c->ir->fns.at[id].alias)
			vec_push(&c->scratch, &arcs, (Arc){id, c->ir->fns.at[id].alias});
	}
	cycle = find_cycle(c, c->ir->fns.n, &arcs);
	return !cycle || check_fail(c, "function f%u: it is an alias of itself", cycle);
}

static bool
check_assumes(Check *c)
{
	for (u32 k = 1; k < c->ir->assumes.n; k++) {
		const Assume *a = &c->ir->assumes.at[k];
		if (!a->what || !check_str(c, a->what) || a->fn >= c->ir->fns.n ||
		    a->src >= c->ir->srcs.n)
			return check_fail(
			    c, "assumption %u: its text, function or position does not exist", k);
	}
	return true;
}

static bool
check_all(Check *c)
{
	const Ir *ir = c->ir;

	if (ir->ptr_bytes != 4 && ir->ptr_bytes != 8)
		return check_fail(c, "pointers have 4 or 8 bytes, not %u", ir->ptr_bytes);
	if (!check_str(c, ir->unit))
		return check_fail(c, "the unit's name is outside the string table");
	if (!check_totals(c))
		return false;
	for (ConstId id = 1; id < ir->consts.n; id++)
		if (!check_const(c, id))
			return false;
	return check_types(c) && check_srcs(c) && check_globals(c) && check_classes(c) &&
	       check_fns(c) && check_assumes(c);
}

const char *
ir_check(const Ir *ir)
{
	Check c = {.ir = ir};

	arena_init(&c.scratch, ir->arena->budget);
	check_all(&c);
	arena_release(&c.scratch);
	return c.error;
}
