/* debug.c - positions, names and variables from debug information.
 *
 * Nodes are read by the place of each number in their records, which is that of LLVM 19's
 * bitcode.  A file keeps the name that the user gave to the compiler; the directory is put
 * before it only where the unit was compiled elsewhere. */
#include "base/file.h"
#include "llvm/llvm_int.h"

/* places in records */
enum { NODE_NAME = 2, TYPE_TAG = 1, FILE_NAME = 1, FILE_DIRECTORY = 2, UNIT_RETAINED = 10 };
enum { SUBPROGRAM_TYPE = 6, SUBROUTINE_TYPES = 2, LOCAL_TYPE = 5, GLOBAL_TYPE = 6 };

enum { TAG_SUBROUTINE = 0x15 };

/* ---- nodes -------------------------------------------------------------- */

BcMeta *
debug_ref(Lower *l, const BcMeta *md, u32 k)
{
	return bc_meta_ref(l->m, md, k);
}

const char *
debug_text(Lower *l, const BcMeta *md, u32 k, u32 *n)
{
	return bc_meta_text(l->m, md, k, n);
}

StrId
debug_name(Lower *l, const BcMeta *md)
{
	BcMeta *s = debug_ref(l, md, NODE_NAME);

	if (!s || s->kind != MD_STRING || !s->n)
		return 0;
	if (!s->id)
		s->id = intern_bytes(&l->ir->strs, s->text, s->n);
	return s->id;
}

bool
debug_is_type(const BcMeta *md)
{
	return md->kind == MD_BASIC_TYPE || md->kind == MD_DERIVED_TYPE ||
	       md->kind == MD_COMPOSITE_TYPE || md->kind == MD_SUBROUTINE_TYPE;
}

u16
debug_tag(const BcMeta *md)
{
	return md->kind == MD_SUBROUTINE_TYPE ? TAG_SUBROUTINE : (u16)bc_meta_num(md, TYPE_TAG);
}

BcValue *
debug_constant(Lower *l, const BcMeta *md)
{
	u64 number = md && md->kind == MD_VALUE ? bc_meta_num(md, 1) : UINT64_MAX;

	return number < l->m->nlasting ? l->m->vals.at[number] : NULL;
}

u32
debug_count(const BcMeta *list)
{
	return list && (list->kind == MD_NODE || list->kind == MD_DISTINCT_NODE) ? list->n : 0;
}

/* ---- positions ---------------------------------------------------------- */

static StrId
tidy_file(Lower *l, const char *dir, u32 ndir, const char *name, u32 n)
{
	char *path = arena_dup(&l->scratch, name, n);

	path = file_join(&l->scratch, arena_dup(&l->scratch, dir, ndir), path);
	if (*path == '/')
		path = file_shorten(&l->scratch, path, l->cwd);
	return intern_str(&l->ir->strs, path);
}

StrId
debug_file(Lower *l, BcMeta *file)
{
	u32 n = 0, ndir = 0;
	const char *name, *dir;

	if (!file || file->kind != MD_FILE)
		return 0;
	if (file->id)
		return file->id;
	name = debug_text(l, file, FILE_NAME, &n);
	dir = debug_text(l, file, FILE_DIRECTORY, &ndir);
	name = name ? name : "";
	dir = dir ? dir : "";
	if (l->tidy && n)
		return file->id = tidy_file(l, dir, ndir, name, n);
	if ((n && name[0] == '/') || !ndir ||
	    (strlen(l->cwd) == ndir && !memcmp(l->cwd, dir, ndir)))
		return file->id = intern_bytes(&l->ir->strs, name, n);
	return file->id = intern_str(&l->ir->strs, arena_printf(&l->scratch, "%.*s/%.*s", (int)ndir,
								dir, (int)n, name));
}

/* The file of a scope. */
static BcMeta *
file_of(Lower *l, BcMeta *scope)
{
	switch (scope->kind) {
	case MD_FILE: return scope;
	case MD_LEXICAL_BLOCK:
	case MD_LEXICAL_BLOCK_FILE:
	case MD_NAMESPACE:
	case MD_COMPILE_UNIT: return debug_ref(l, scope, 2);
	case MD_SUBPROGRAM: return debug_ref(l, scope, 4);
	case MD_DERIVED_TYPE:
	case MD_COMPOSITE_TYPE: return debug_ref(l, scope, 3);
	default: return NULL;
	}
}

SrcId
debug_src(Lower *l, const BcValue *ins)
{
	BcLoc *loc = ins->loc ? &l->m->locs.at[ins->loc - 1] : NULL;

	if (!loc || !loc->line)
		return 0;
	if (!loc->src)
		loc->src = ir_src(l->ir, loc->scope ? debug_file(l, file_of(l, loc->scope)) : 0,
				  loc->line, loc->col);
	return loc->src;
}

SrcId
debug_declared(Lower *l, const BcMeta *md)
{
	BcMeta *file = debug_ref(l, md, 4);
	u32 line = (u32)bc_meta_num(md, 5);

	return file && line ? ir_src(l->ir, debug_file(l, file), line, 0) : 0;
}

/* ---- symbols and variables ---------------------------------------------- */

BcMeta *
debug_global(Lower *l, const BcGlobal *g)
{
	BcMeta *md = g->debug ? bc_meta(l->m, &g->nodes, g->debug - 1) : NULL;

	if (!md || md->kind != MD_GLOBAL_VAR_EXPR)
		return NULL;
	md = debug_ref(l, md, 1);
	return md && md->kind == MD_GLOBAL_VAR ? md : NULL;
}

BcMeta *
debug_subprogram(Lower *l, const BcGlobal *f)
{
	BcMeta *md = f->debug ? bc_meta(l->m, &f->nodes, f->debug - 1) : NULL;

	return md && md->kind == MD_SUBPROGRAM ? md : NULL;
}

StrId
debug_proto(Lower *l, const BcMeta *subprogram)
{
	return proto_of(l, debug_ref(l, subprogram, SUBPROGRAM_TYPE));
}

void
debug_name_variable(Lower *l, const BcValue *record)
{
	const BcValue *v = record->nop ? bc_operand(record, 0) : NULL;
	Reg *reg;

	if (!record->var || !v || !val_is_reg(v->val) ||
	    (v->kind != LLVMInstructionValueKind && v->kind != LLVMArgumentValueKind))
		return;
	reg = &l->ir->regs.at[l->ir->fns.at[l->b.fn].reg + v->val];
	if (!reg->name)
		reg->name = debug_name(l, record->var);
}

TypeId
debug_variable_type(Lower *l, const BcMeta *var)
{
	return type_of_debug(
	    l, debug_ref(l, var, var->kind == MD_LOCAL_VAR ? LOCAL_TYPE : GLOBAL_TYPE));
}

/* ---- types -------------------------------------------------------------- */

static void
collect_list(Lower *l, const BcMeta *list)
{
	for (u32 k = 0; k < debug_count(list); k++)
		(void)type_of_debug(l, debug_ref(l, list, k));
}

static void
collect_subprogram(Lower *l, const BcMeta *md)
{
	const BcMeta *type = debug_ref(l, md, SUBPROGRAM_TYPE);

	if (type && type->kind == MD_SUBROUTINE_TYPE)
		collect_list(l, debug_ref(l, type, SUBROUTINE_TYPES));
}

/* The types of the subprograms and variables among the nodes. */
static void
collect_nodes(Lower *l, const BcMetas *nodes)
{
	for (u32 k = 0; k < nodes->at.n; k++) {
		const BcMeta *md = &nodes->at.at[k];
		if (md->kind == MD_SUBPROGRAM)
			collect_subprogram(l, md);
		else if (md->kind == MD_LOCAL_VAR)
			(void)debug_variable_type(l, md);
	}
}

static void
collect_units(Lower *l)
{
	for (u32 k = 0; k < l->m->units.n; k++) {
		const BcMeta *unit = bc_meta(l->m, NULL, l->m->units.at[k]);
		if (unit && unit->kind == MD_COMPILE_UNIT)
			collect_list(l, debug_ref(l, unit, UNIT_RETAINED));
	}
}

void
debug_collect_types(Lower *l)
{
	BcMeta *md;

	for (u32 k = 0; k < l->m->globals.n; k++)
		if ((md = debug_global(l, l->m->globals.at[k])))
			(void)debug_variable_type(l, md);
	collect_units(l);
	for (u32 k = 0; k < l->m->fns.n; k++) {
		if ((md = debug_subprogram(l, l->m->fns.at[k])))
			collect_subprogram(l, md);
		collect_nodes(l, &l->m->fns.at[k]->nodes);
	}
	collect_nodes(l, &l->m->nodes);
	type_fill(l);
	arena_release(&l->scratch);
}
