/* link.c - joins units into one program.
 *
 * As a linker does: a symbol that is not internal has one definition, a strong
 * one before an alias, that before a weak one, that before a common one (the
 * largest of them), and a declaration if there is nothing else.  References to
 * an alias become references to what it names; the alias stays only to be
 * found by its name.  Strings, constants, positions and types are merged by
 * content.  The order of the units decides the ids, and which of several
 * equally good definitions is taken; nothing else. */
#include "ir/link_int.h"

enum { ALIAS_STEPS = 64 };

/* ---- symbols ------------------------------------------------------------ */

/* How good a definition is. */
static u32
rank(u8 linkage)
{
	switch (linkage) {
	case LINK_EXTERNAL: return 4;
	case LINK_ALIAS: return 3;
	case LINK_WEAK: return 2;
	case LINK_COMMON: return 1;
	default: return 0;
	}
}

/* Functions and globals differ only in where these come from. */
typedef struct Symbol {
	StrId name; /* in the program */
	u8 linkage;
	u64 weight; /* decides between declarations and between common ones */
	SrcId src;
} Symbol;

static Symbol
fn_symbol(const Unit *u, u32 id)
{
	const Fn *f = &u->ir->fns.at[id];

	return (Symbol){u->str[f->name], f->linkage, f->nparam, f->src};
}

static Symbol
global_symbol(const Unit *u, u32 id)
{
	const Global *g = &u->ir->globals.at[id];

	return (Symbol){u->str[g->name], g->linkage, g->size, g->src};
}

/* Within one library or program a mistake; between two the first one counts, as
 * for the dynamic linker, unless they are hidden from each other. */
static void
report_duplicate(Link *l, StrId name, const Unit *first, const Unit *second, SrcId src)
{
	const Src *s = &second->ir->srcs.at[src];

	diag_at(l->diag, first->ir->image == second->ir->image ? DIAG_ERROR : DIAG_WARNING,
		src ? ir_str(second->ir, s->file) : ir_str(second->ir, second->ir->unit), s->line,
		s->col, "%s is already defined in %s; this definition is left out",
		ir_str(l->out, name), ir_str(first->ir, first->ir->unit));
}

/* Says whether the new symbol y is to take the place of x. */
static bool
is_better(const Symbol *x, const Symbol *y)
{
	if (rank(y->linkage) != rank(x->linkage))
		return rank(y->linkage) > rank(x->linkage);
	return rank(x->linkage) < 2 && y->weight > x->weight;
}

/* Enters symbol id of unit k; returns its id in the program. */
static u32
enter(Link *l, Picks *picks, Map *names, u32 k, u32 id, Symbol (*get)(const Unit *, u32))
{
	Symbol y = get(&l->units[k], id), x;
	u32 *place = NULL;
	Pick *old;

	if (y.linkage != LINK_INTERNAL)
		place = map_at(&l->scratch, names, y.name);
	if (!place || !*place) {
		vec_push(&l->scratch, picks, (Pick){k, id});
		if (place)
			*place = picks->n - 1;
		return picks->n - 1;
	}
	old = &picks->at[*place];
	x = get(&l->units[old->unit], old->id);
	if (is_better(&x, &y))
		*old = (Pick){k, id};
	else if (x.linkage == LINK_EXTERNAL && y.linkage == LINK_EXTERNAL)
		report_duplicate(l, y.name, &l->units[old->unit], &l->units[k], y.src);
	return *place;
}

static bool
is_alias_fn(const Link *l, FnId f)
{
	return l->units[l->fns.at[f].unit].ir->fns.at[l->fns.at[f].id].linkage == LINK_ALIAS;
}

static bool
is_alias_global(const Link *l, GlobalId g)
{
	return l->units[l->globals.at[g].unit].ir->globals.at[l->globals.at[g].id].linkage ==
	       LINK_ALIAS;
}

/* What f stands for.  Aliases of several units may name each other in a
 * circle; after a few steps the last one is left as it is. */
static FnId
follow_fn(const Link *l, FnId f)
{
	for (u32 k = 0; k < ALIAS_STEPS && is_alias_fn(l, f); k++) {
		const Unit *u = &l->units[l->fns.at[f].unit];
		f = u->fn[u->ir->fns.at[l->fns.at[f].id].alias];
	}
	return f;
}

static GlobalId
follow_global(const Link *l, GlobalId g)
{
	for (u32 k = 0; k < ALIAS_STEPS && is_alias_global(l, g); k++) {
		const Unit *u = &l->units[l->globals.at[g].unit];
		g = u->global[u->ir->globals.at[l->globals.at[g].id].alias];
	}
	return g;
}

static void
enter_symbols(Link *l)
{
	Map fns = {0}, globals = {0};

	vec_push(&l->scratch, &l->fns, (Pick){0});
	vec_push(&l->scratch, &l->globals, (Pick){0});
	for (u32 k = 0; k < l->n; k++) {
		Unit *u = &l->units[k];
		u->fn = arena_array(&l->scratch, FnId, u->ir->fns.n);
		u->global = arena_array(&l->scratch, GlobalId, u->ir->globals.n);
		for (FnId f = 1; f < u->ir->fns.n; f++)
			u->fn[f] = enter(l, &l->fns, &fns, k, f, fn_symbol);
		for (GlobalId g = 1; g < u->ir->globals.n; g++)
			u->global[g] = enter(l, &l->globals, &globals, k, g, global_symbol);
	}
}

/* Where the definition taken is an alias, references mean what it names. */
static void
resolve_aliases(Link *l)
{
	u32 *fn_to = arena_array(&l->scratch, u32, l->fns.n);
	u32 *global_to = arena_array(&l->scratch, u32, l->globals.n);

	for (FnId f = 1; f < l->fns.n; f++)
		fn_to[f] = follow_fn(l, f);
	for (GlobalId g = 1; g < l->globals.n; g++)
		global_to[g] = follow_global(l, g);
	for (u32 k = 0; k < l->n; k++) {
		Unit *u = &l->units[k];
		for (FnId f = 1; f < u->ir->fns.n; f++)
			u->fn[f] = fn_to[u->fn[f]];
		for (GlobalId g = 1; g < u->ir->globals.n; g++)
			u->global[g] = global_to[u->global[g]];
	}
}

/* ---- tables ------------------------------------------------------------- */

static void
map_strings(Link *l, Unit *u)
{
	u32 n = intern_count(&u->ir->strs);

	u->str = arena_array(&l->scratch, StrId, n + 1);
	for (StrId s = 1; s <= n; s++)
		u->str[s] =
		    intern_bytes(&l->out->strs, ir_str(u->ir, s), intern_len(&u->ir->strs, s));
}

/* Which files do several units name?  [file of the program]: a unit plus 1, UINT32_MAX
 * if there are more. */
static u32 *
shared_files(Link *l)
{
	u32 *by = arena_array(&l->scratch, u32, intern_count(&l->out->strs) + 1);

	for (u32 k = 0; k < l->n; k++)
		for (SrcId s = 1; s < l->units[k].ir->srcs.n; s++) {
			u32 *at = &by[l->units[k].str[l->units[k].ir->srcs.at[s].file]];
			*at = *at && *at != k + 1 ? UINT32_MAX : k + 1;
		}
	return by;
}

/* Positions of a file that one unit alone names are told apart there already: they
 * need not be looked for, nor be found later. */
static void
map_srcs(Link *l, Unit *u, const u32 *by)
{
	Ir *out = l->out;

	u->src = arena_array(&l->scratch, SrcId, u->ir->srcs.n);
	for (SrcId s = 1; s < u->ir->srcs.n; s++) {
		Src x = u->ir->srcs.at[s];

		x.file = u->str[x.file];
		if (by[x.file] == UINT32_MAX) {
			u->src[s] = ir_src(out, x.file, x.line, x.col);
			continue;
		}
		u->src[s] = out->srcs.n;
		vec_push(out->arena, &out->srcs, x);
		out->srcs_indexed = out->srcs.n - 1;
	}
}

static Val
map_const(Link *l, const Unit *u, const Const *c)
{
	switch ((ConstKind)c->kind) {
	case CONST_INT: return ir_const_int(l->out, c->width, c->num);
	case CONST_NULL: return ir_const_null(l->out);
	case CONST_UNDEF: return ir_const_undef(l->out);
	case CONST_GLOBAL: return ir_const_global(l->out, u->global[c->ref], c->num);
	case CONST_FN: return ir_const_fn(l->out, u->fn[c->ref]);
	case CONST_CLASS: return ir_const_class(l->out, u->class[c->ref]);
	case CONST_OPAQUE: break;
	}
	return ir_const_opaque(l->out);
}

static void
map_consts(Link *l, Unit *u)
{
	u->konst = arena_array(&l->scratch, Val, u->ir->consts.n);
	for (ConstId c = 1; c < u->ir->consts.n; c++)
		u->konst[c] = map_const(l, u, &u->ir->consts.at[c]);
}

static Val
map_val(const Unit *u, Val v)
{
	return val_is_const(v) ? u->konst[val_const(v)] : v;
}

static StrId
unit_name(const Unit *u, StrId unit)
{
	return u->str[unit ? unit : u->ir->unit];
}

static void
copy_global(Link *l, GlobalId id)
{
	Ir *out = l->out;
	const Unit *u = &l->units[l->globals.at[id].unit];
	const Global *g = &u->ir->globals.at[l->globals.at[id].id];
	Global *o = &out->globals.at[id];

	*o = *g;
	o->name = u->str[g->name];
	o->pretty = u->str[g->pretty];
	o->unit = unit_name(u, g->unit);
	o->type = u->type[g->type];
	o->src = u->src[g->src];
	o->section = u->str[g->section];
	o->alias = u->global[g->alias];
	if (o->alias && is_alias_global(l, o->alias)) { /* a circle defines nothing */
		o->linkage = LINK_DECL;
		o->alias = 0;
	}
	o->init = g->ninit ? out->inits.n : 0;
	for (u32 k = 0; k < g->ninit; k++) {
		const Init *i = &u->ir->inits.at[g->init + k];
		vec_push(out->arena, &out->inits, (Init){i->off, map_val(u, i->val)});
	}
}

/* ---- bodies ------------------------------------------------------------- */

static u32
map_aux(const Unit *u, const Ins *i)
{
	switch (i->op) {
	case OP_ALLOC:
	case OP_INDEX: return u->type[i->aux];
	case OP_FIELD: return i->sub ? u->field[i->aux] : u->type[i->aux];
	case OP_FILTER:
	case OP_CINIT: return u->class[i->aux];
	case OP_CALL:
	case OP_FORK:
	case OP_EXTERN: return u->str[i->aux];
	default: return i->aux;
	}
}

static void
copy_ins(Ir *out, const Unit *u, const Ins *i)
{
	Ins o = *i;

	o.arg = out->args.n;
	o.aux = map_aux(u, i);
	o.src = u->src[i->src];
	for (u32 k = 0; k < i->narg; k++) {
		Val v = ins_arg(u->ir, i, k);
		bool is_block = i->op == OP_PHI && k % 2 == 0;
		vec_push(out->arena, &out->args, is_block ? v : map_val(u, v));
	}
	vec_push(out->arena, &out->ins, o);
}

static void
copy_body(Ir *out, const Unit *u, const Fn *f, Fn *o)
{
	o->reg = out->regs.n - 1;
	o->block = out->blocks.n;
	o->ins = out->ins.n;
	for (u32 r = 1; r <= f->nreg; r++) {
		Reg x = *fn_reg(u->ir, f, r);
		x.name = u->str[x.name];
		x.def = x.def ? x.def - f->ins + o->ins : 0;
		vec_push(out->arena, &out->regs, x);
	}
	for (BlockId b = 1; b <= f->nblock; b++) {
		Block x = *fn_block(u->ir, f, b);
		u32 succ = x.succ;
		x.ins = x.ins - f->ins + o->ins;
		x.succ = out->succs.n;
		for (u32 k = 0; k < x.nsucc; k++)
			vec_push(out->arena, &out->succs, u->ir->succs.at[succ + k]);
		vec_push(out->arena, &out->blocks, x);
	}
	for (InsId i = f->ins; i < f->ins + f->nins; i++)
		copy_ins(out, u, ir_ins(u->ir, i));
}

static void
copy_fn(Link *l, FnId id)
{
	const Unit *u = &l->units[l->fns.at[id].unit];
	const Fn *f = &u->ir->fns.at[l->fns.at[id].id];
	Fn *o = &l->out->fns.at[id];

	*o = *f;
	o->name = u->str[f->name];
	o->pretty = u->str[f->pretty];
	o->proto = u->str[f->proto];
	o->unit = unit_name(u, f->unit);
	o->class = u->class[f->class];
	o->src = u->src[f->src];
	o->alias = u->fn[f->alias];
	if (o->alias && is_alias_fn(l, o->alias)) { /* a circle defines nothing */
		o->linkage = LINK_DECL;
		o->alias = 0;
	}
	copy_body(l->out, u, f, o);
}

static void
copy_assumes(Link *l, const Unit *u)
{
	Ir *out = l->out;

	for (u32 k = 1; k < u->ir->assumes.n; k++) {
		const Assume *a = &u->ir->assumes.at[k];
		vec_push(out->arena, &out->assumes,
			 (Assume){u->str[a->what], u->fn[a->fn], u->src[a->src]});
	}
}

/* ---- the program -------------------------------------------------------- */

/* Takes the units that fit the first one's data layout. */
static void
choose_units(Link *l, Ir *const *units, u32 n)
{
	l->units = arena_array(&l->scratch, Unit, n);
	for (u32 k = 0; k < n; k++) {
		const Ir *ir = units[k];
		if (!l->n)
			l->out->ptr_bytes = ir->ptr_bytes;
		if (ir->ptr_bytes != l->out->ptr_bytes) {
			diag_error(
			    l->diag, ir_str(ir, ir->unit),
			    "its pointers have %u bytes, those of %s %u; the unit is left out",
			    ir->ptr_bytes, ir_str(units[0], units[0]->unit), l->out->ptr_bytes);
			continue;
		}
		l->out->hash = l->n ? hash_u64(l->out->hash ^ ir->hash) : ir->hash;
		l->units[l->n++].ir = ir;
	}
}

void
ir_link(Ir *out, Ir *const *units, u32 n, struct Diag *diag)
{
	Link l = {.out = out, .diag = diag};
	const u32 *by;

	arena_init(&l.scratch, out->arena->budget);
	choose_units(&l, units, n);
	for (u32 k = 0; k < l.n; k++)
		map_strings(&l, &l.units[k]);
	by = shared_files(&l);
	for (u32 k = 0; k < l.n; k++)
		map_srcs(&l, &l.units[k], by);
	enter_symbols(&l);
	resolve_aliases(&l);
	(void)vec_extend(out->arena, &out->fns, l.fns.n - 1);
	(void)vec_extend(out->arena, &out->globals, l.globals.n - 1);
	link_types(&l);
	link_classes(&l);
	for (u32 k = 0; k < l.n; k++)
		map_consts(&l, &l.units[k]);
	for (GlobalId g = 1; g < out->globals.n; g++)
		copy_global(&l, g);
	for (FnId f = 1; f < out->fns.n; f++)
		copy_fn(&l, f);
	link_sections(out);
	for (u32 k = 0; k < l.n; k++)
		copy_assumes(&l, &l.units[k]);
	arena_release(&l.scratch);
}
