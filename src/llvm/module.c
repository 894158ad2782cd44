/* module.c - one module: its symbols, what variables hold, its bodies.
 *
 * What our clang wrote is read as it is (bc_read); anything else goes through LLVM first.  Then
 * the types are learned, all symbols declared, and the bodies read and lowered one after the
 * other: each has its site ids from the order of its instructions before any pass (from 1, blocks
 * as they come, debug records not counted, so that -g changes nothing); then locals whose address
 * is not taken are promoted, which neither merges nor deletes an access of other memory.
 *
 * A symbol has its id before anything refers to it, so initialisers, aliases
 * and bodies are looked at in any order. */
#include "llvm/llvm_int.h"

void
lower_assume(Lower *l, const char *what)
{
	StrId s = intern_str(&l->ir->strs, what);
	u32 *seen = map_at(l->arena, &l->assumed, map_pair(s, l->b.fn));

	if (*seen)
		return;
	*seen = 1;
	vec_push(l->ir->arena, &l->ir->assumes, (Assume){s, l->b.fn, l->b.src});
}

/* ---- symbols ------------------------------------------------------------ */

static Linkage
linkage_of(const BcGlobal *g)
{
	if (g->declared)
		return LINK_DECL;
	switch (g->linkage) {
	case LLVMInternalLinkage:
	case LLVMPrivateLinkage: return LINK_INTERNAL;
	case LLVMAvailableExternallyLinkage: /* the real one is elsewhere */
	case LLVMLinkOnceAnyLinkage:
	case LLVMLinkOnceODRLinkage:
	case LLVMWeakAnyLinkage:
	case LLVMWeakODRLinkage:
	case LLVMExternalWeakLinkage: return LINK_WEAK;
	case LLVMCommonLinkage: return LINK_COMMON;
	default: return LINK_EXTERNAL;
	}
}

static StrId
symbol_name(Lower *l, const BcGlobal *g, const char *kind, u32 id)
{
	const char *s = g->name;
	size_t n = g->nname;

	/* \1 tells LLVM not to decorate the name */
	if (n && s[0] == '\1')
		s++, n--;
	if (n)
		return intern_bytes(&l->ir->strs, s, n);
	return intern_str(&l->ir->strs, arena_printf(&l->scratch, ".%s.%u", kind, id));
}

static void
describe_global(Lower *l, Global *g, const BcGlobal *from)
{
	const BcMeta *var = debug_global(l, from);
	StrId name;
	TypeId type;

	if (!var)
		return;
	name = debug_name(l, var);
	g->pretty = name == g->name ? 0 : name;
	type = debug_variable_type(l, var);
	if (type && l->ir->types.at[type].size == g->size)
		g->type = type;
	g->src = debug_declared(l, var);
}

static void
declare_global(Lower *l, BcGlobal *v, bool alias)
{
	GlobalId id = l->ir->globals.n;
	Global g = {.name = symbol_name(l, v, "global", id), .unit = l->ir->unit};

	g.size = type_size(l, v->v.of);
	g.type = type_of(l, v->v.of);
	g.linkage = (u8)(alias ? LINK_ALIAS : linkage_of(v));
	if (!alias) {
		g.tls = v->tls;
		g.constant = v->constant;
		describe_global(l, &g, v);
		if (v->section && *v->section)
			g.section = intern_str(&l->ir->strs, v->section);
	}
	vec_push(l->ir->arena, &l->ir->globals, g);
	v->id = id;
}

static Fn
fn_header(Lower *l, const BcGlobal *v)
{
	Fn f = {.name = symbol_name(l, v, "fn", l->ir->fns.n), .unit = l->ir->unit};
	BcType *type = v->v.of;
	u16 width;

	f.linkage = (u8)linkage_of(v);
	f.ret = (u8)type_reg(l, type->part[0], &width);
	f.nparam = type->n - 1;
	if (type->variadic)
		f.flags |= FN_VARIADIC;
	/* of the second there is a symbol elsewhere, if anywhere */
	if (v->hidden || v->linkage == LLVMAvailableExternallyLinkage)
		f.flags |= FN_HIDDEN;
	return f;
}

static void
add_fn(Lower *l, BcGlobal *v, Fn f)
{
	v->id = l->ir->fns.n;
	vec_push(l->ir->arena, &l->ir->fns, f);
}

/* What a function without a body is given. */
static void
declare_params(Lower *l, Fn *f, const BcType *type)
{
	f->reg = l->ir->regs.n - 1;
	f->nreg = f->nparam;
	for (u32 k = 0; k < f->nparam; k++) {
		Reg r = {0};
		r.rt = (u8)type_reg(l, type->part[k + 1], &r.width);
		vec_push(l->ir->arena, &l->ir->regs, r);
	}
}

static void
declare_fn(Lower *l, BcGlobal *v)
{
	Fn f = fn_header(l, v);

	if (v->declared)
		declare_params(l, &f, v->v.of);
	if (bc_fn_attrs(l->m, &v->v)->no_return)
		f.flags |= FN_NORETURN;
	l->jumps |= bc_fn_attrs(l->m, &v->v)->twice;
	add_fn(l, v, f);
	if (v->declared)
		function_declare(l, v);
}

static void
declare_alias(Lower *l, BcGlobal *v)
{
	if (linkage_of(v) == LINK_INTERNAL) /* nobody else can name it */
		return;
	if (v->v.of->kind == LLVMFunctionTypeKind) {
		Fn f = fn_header(l, v);
		f.linkage = LINK_ALIAS;
		add_fn(l, v, f);
	} else {
		declare_global(l, v, true);
	}
}

static void
declare_symbols(Lower *l)
{
	BcModule *m = l->m;

	for (u32 k = 0; k < m->globals.n; k++)
		if (!bc_is_intrinsic(m->globals.at[k])) {
			declare_global(l, m->globals.at[k], false);
			section_declare(l, m->globals.at[k]);
		}
	for (u32 k = 0; k < m->fns.n; k++)
		if (!bc_is_intrinsic(m->fns.at[k]))
			declare_fn(l, m->fns.at[k]);
		else
			l->traps |= intrinsic_traps(m->fns.at[k]);
	for (u32 k = 0; k < m->aliases.n; k++)
		declare_alias(l, m->aliases.at[k]);
	for (u32 k = 0; k < m->ifuncs.n; k++) {
		Fn f = fn_header(l, m->ifuncs.at[k]);
		f.flags |= FN_SYNTHETIC;
		add_fn(l, m->ifuncs.at[k], f);
	}
	arena_release(&l->scratch);
}

/* ---- contents ----------------------------------------------------------- */

static bool
is_text(const BcValue *v)
{
	return v->kind == LLVMConstantDataArrayValueKind && v->type->part[0]->bits == 8 &&
	       v->type->part[0]->kind == LLVMIntegerTypeKind;
}

/* Integers of small variables are kept, the letters of strings are not. */
static bool
keeps_ints(const Lower *l, GlobalId id, const BcValue *init)
{
	const Global *g = &l->ir->globals.at[id];

	return g->size <= IR_INT_INIT && !(g->constant && is_text(init));
}

static BcValue *
contents(const Lower *l, const BcGlobal *g)
{
	return g && g->init ? l->m->vals.at[g->init - 1] : NULL;
}

static void
init_global(Lower *l, const BcGlobal *v)
{
	BcValue *init = contents(l, v);
	u32 first = l->ir->inits.n;

	if (!v->id || !init)
		return;
	value_init(l, init, 0, keeps_ints(l, v->id, init));
	l->ir->globals.at[v->id].ninit = l->ir->inits.n - first;
	l->ir->globals.at[v->id].init = l->ir->inits.n > first ? first : 0;
}

static void
resolve_alias(Lower *l, const BcGlobal *v)
{
	Val c = value_const(l, contents(l, v));
	const Const *to = c ? ir_const(l->ir, c) : NULL;
	bool is_fn = v->v.of->kind == LLVMFunctionTypeKind;
	FnId f = is_fn ? v->id : 0;
	GlobalId g = is_fn ? 0 : v->id;

	if (!f && !g)
		return;
	if (f && to && to->kind == CONST_FN) {
		l->ir->fns.at[f].alias = to->ref;
		return;
	}
	if (g && to && to->kind == CONST_GLOBAL) {
		l->ir->globals.at[g].alias = to->ref;
		l->ir->globals.at[g].tls = l->ir->globals.at[to->ref].tls;
		l->ir->globals.at[g].constant = l->ir->globals.at[to->ref].constant;
		if (to->num)
			lower_assume(l, "an alias into the middle of a variable names its start");
		return;
	}
	lower_assume(l, "an alias of something that is no symbol is taken for a declaration");
	if (f)
		l->ir->fns.at[f].linkage = LINK_DECL;
	if (g)
		l->ir->globals.at[g].linkage = LINK_DECL;
}

/* Sets flag for the functions listed in LLVM's table of the given name. */
static void
mark_listed(Lower *l, const char *table, u16 flag)
{
	const BcGlobal *g = NULL;
	const BcValue *list;

	for (u32 k = 0; k < l->m->globals.n && !g; k++) {
		g = l->m->globals.at[k];
		if (g->nname != strlen(table) || memcmp(g->name, table, g->nname))
			g = NULL;
	}
	list = contents(l, g);
	if (!list || list->kind != LLVMConstantArrayValueKind)
		return;
	for (u32 i = 0; i < list->nop; i++) {
		const BcValue *row = list->ops[i];
		bool is_row = row->kind == LLVMConstantStructValueKind && row->nop > 1;
		Val c = is_row ? value_const(l, row->ops[1]) : 0;
		if (c && ir_const(l->ir, c)->kind == CONST_FN)
			l->ir->fns.at[ir_const(l->ir, c)->ref].flags |= flag;
	}
}

static void
mark_functions(Lower *l, BcValue *v, u16 flag)
{
	Val c;

	if (v->kind == LLVMConstantArrayValueKind) {
		for (u32 i = 0; i < v->nop; i++)
			mark_functions(l, v->ops[i], flag);
		return;
	}
	c = bc_is_fn(v) ? value_const(l, v) : 0;
	if (c && ir_const(l->ir, c)->kind == CONST_FN)
		l->ir->fns.at[ir_const(l->ir, c)->ref].flags |= flag;
}

/* What lies in these sections is run before main, or at the end. */
static void
mark_section(Lower *l, const BcGlobal *global)
{
	static const struct {
		const char *section;
		u16 flag;
	} table[] = {{".init_array", FN_CONSTRUCTOR},
		     {".preinit_array", FN_CONSTRUCTOR},
		     {".ctors", FN_CONSTRUCTOR},
		     {".fini_array", FN_DESTRUCTOR},
		     {".dtors", FN_DESTRUCTOR}};
	const char *in = global->section;
	BcValue *init = in ? contents(l, global) : NULL;

	for (u32 i = 0; init && i < COUNT(table); i++)
		if (!strncmp(in, table[i].section, strlen(table[i].section)))
			mark_functions(l, init, table[i].flag);
}

/* An ifunc calls what its resolver returns. */
static void
lower_ifunc(Lower *l, const BcGlobal *v)
{
	FnId id = v->id;
	BcType *type = v->v.of, *ret = type->part[0];
	u32 n = type->n - 1;
	Val *args = arena_array(l->arena, Val, n + 1), r = 0;

	build_begin(&l->b, l->ir, id);
	build_block_start(&l->b, build_block_new(&l->b));
	for (u32 k = 0; k < n; k++) {
		Reg *p = &l->ir->regs.at[l->ir->fns.at[id].reg + 1 + k];
		p->rt = (u8)type_reg(l, type->part[k + 1], &p->width);
	}
	args[0] = value_of(l, contents(l, v));
	args[0] = emit_as(l, OP_CALL, RT_PTR, (u16)(l->ir->ptr_bytes * 8), 1, args);
	for (u32 k = 0; k < n; k++)
		args[k + 1] = k + 1;
	if (ret->kind == LLVMVoidTypeKind)
		build_ins(&l->b, OP_CALL, n + 1, args);
	else
		r = emit(l, OP_CALL, ret, n + 1, args);
	build_term(&l->b, OP_RET, r ? 1 : 0, &r, 0, NULL);
	build_end(&l->b);
}

static void
lower_contents(Lower *l)
{
	BcModule *m = l->m;

	for (u32 k = 0; k < m->globals.n; k++) {
		init_global(l, m->globals.at[k]);
		mark_section(l, m->globals.at[k]);
	}
	for (u32 k = 0; k < m->aliases.n; k++)
		resolve_alias(l, m->aliases.at[k]);
	mark_listed(l, "llvm.global_ctors", FN_CONSTRUCTOR);
	mark_listed(l, "llvm.global_dtors", FN_DESTRUCTOR);
	for (u32 k = 0; k < m->fns.n && !m->bad; k++)
		if (m->fns.at[k]->body && !function_lower(l, m->fns.at[k]))
			return;
	m->in_body = false;
	for (u32 k = 0; k < m->ifuncs.n; k++)
		lower_ifunc(l, m->ifuncs.at[k]);
}

/* ---- the whole ---------------------------------------------------------- */

/* Lowers what was read; m->bad: it has something that is not understood. */
static const char *
lower(Ir *ir, Arena *a, const Source *s, BcModule *m)
{
	Lower *l = arena_new(a, Lower);

	l->ir = ir;
	l->arena = a;
	l->m = m;
	l->cwd = s->cwd;
	l->tidy = s->tidy;
	arena_init(&l->scratch, a->budget);
	ir->unit = intern_str(&ir->strs, s->name);
	ir->hash = s->hash;
	ir->ptr_bytes = bc_pointer_size(m);
	if (ir->ptr_bytes != 4 && ir->ptr_bytes != 8)
		return "pointers are neither 32 nor 64 bits wide";
	debug_collect_types(l);
	declare_symbols(l);
	lower_contents(l);
	arena_release(&l->scratch);
	return NULL;
}

bool
module_lower_own(Ir *ir, Arena *a, const Source *s, const void *bytes, size_t n, const char **wrong)
{
	BcModule *m = arena_new(a, BcModule);

	bc_read(m, a, bytes, n);
	if (m->bad || (m->inlines && bytes == s->bytes))
		return false;
	*wrong = lower(ir, a, s, m);
	return !m->bad;
}

const char *
module_lower(Ir *ir, Arena *a, const Source *source)
{
	const char *wrong = NULL;
	const void *bytes;
	size_t n;

	if (source->trusted && module_lower_own(ir, a, source, source->bytes, source->n, &wrong))
		return wrong;
	ir_init(ir, ir->arena);
	wrong = foreign_read(a, source, &bytes, &n);
	if (wrong || module_lower_own(ir, a, source, bytes, n, &wrong))
		return wrong;
	return "it has something that is not understood here";
}
