/* bc_read.c - a module but for its bodies: symbols, attributes, what the blocks are.
 *
 * Names lie in a table behind the module, so that it is looked for first.  Where each body
 * is, is noted; of a body only the nodes of its debug information are read here, since they
 * say which types there are. */
#include "llvm/bc.h"

enum {
	BLOCK_ABOUT = 0,
	BLOCK_MODULE = 8,
	BLOCK_ATTRS,
	BLOCK_ATTR_GROUPS,
	BLOCK_CONSTANTS,
	BLOCK_FN,
	BLOCK_IDENTIFICATION,
	BLOCK_SYMBOLS,
	BLOCK_METADATA,
	BLOCK_TYPES = 17,
	BLOCK_STRTAB = 23
};

enum {
	MODULE_VERSION = 1,
	MODULE_TRIPLE,
	MODULE_LAYOUT,
	MODULE_SECTION = 5,
	MODULE_VAR = 7,
	MODULE_FN,
	MODULE_ALIAS = 14,
	MODULE_IFUNC = 18
};

enum { VERSION = 2 /* names in a table, values counted from each instruction */ };

static char *
text(BcModule *m)
{
	char *s = arena_alloc(m->arena, m->r.n + 1);

	for (u32 k = 0; k < m->r.n; k++)
		s[k] = (char)m->r.op[k];
	return s;
}

/* ---- attributes --------------------------------------------------------- */

/* As the kinds of attributes are numbered in files. */
enum {
	ATTR_ALWAYS_INLINE = 2,
	ATTR_BYVAL = 3,
	ATTR_NO_RETURN = 17,
	ATTR_NO_UNWIND = 18,
	ATTR_RETURNS_TWICE = 23,
	ATTR_ELEMENT_TYPE = 77,
	ATTR_MEMORY = 86
};
/* How an attribute is written. */
enum {
	FORM_ENUM,
	FORM_NUMBER,
	FORM_KEY = 3,
	FORM_KEY_VALUE,
	FORM_TYPE,
	FORM_TYPED,
	FORM_RANGE,
	FORM_RANGES
};
enum { OF_FUNCTION = UINT32_MAX };

static void
fn_attr(BcAttrs *a, u64 kind, u64 number)
{
	a->no_return |= kind == ATTR_NO_RETURN;
	a->no_unwind |= kind == ATTR_NO_UNWIND;
	a->twice |= kind == ATTR_RETURNS_TWICE;
	a->always_inline |= kind == ATTR_ALWAYS_INLINE;
	a->pure |= kind == ATTR_MEMORY && !number;
}

static void
typed_attr(BcModule *m, BcAttrs *a, u32 param, u64 kind, u64 type)
{
	if (kind != ATTR_BYVAL && kind != ATTR_ELEMENT_TYPE)
		return;
	vec_push(m->arena, &m->param_attrs,
		 (BcParamAttr){param, kind == ATTR_BYVAL, bc_type(m, type)});
	a->n++;
}

/* How many numbers there are at place k of a range: [bits, from, to], where more than 64 bits take
 * [bits, numbers of from | numbers of to << 32, these]. */
static u32
range_length(const BcModule *m, u32 k)
{
	u64 words = record_op(&m->r, k + 1);

	if (record_op(&m->r, k) <= 64)
		return 3;
	return (u32)MIN(2 + (words & UINT32_MAX) + (words >> 32), m->r.n);
}

/* [group, parameter, attributes]: a key is a text that ends with 0. */
static void
group(BcModule *m)
{
	const Record *r = &m->r;
	u32 param = (u32)record_op(r, 1), k = 2;
	BcAttrs a = {.first = m->param_attrs.n};

	while (k < r->n) {
		u64 form = r->op[k++], kind = record_op(r, k);
		u32 ends = form == FORM_KEY ? 1 : form == FORM_KEY_VALUE ? 2 : 0;
		for (; ends && k < r->n; k++)
			ends -= !r->op[k];
		if (form == FORM_KEY || form == FORM_KEY_VALUE)
			continue;
		k++;
		switch (form) {
		case FORM_ENUM:
		case FORM_TYPE: break;
		case FORM_NUMBER: k++; break;
		case FORM_TYPED: typed_attr(m, &a, param, kind, record_op(r, k++)); continue;
		case FORM_RANGE: k += range_length(m, k); continue;
		case FORM_RANGES:
			m->bad |= record_op(r, k + 1) > 64 || record_op(r, k) > r->n;
			k += 2 + 2 * (u32)MIN(record_op(r, k), r->n);
			continue;
		default: m->bad = true; return;
		}
		if (param == OF_FUNCTION)
			fn_attr(&a, kind, record_op(r, k - 1));
	}
	vec_push(m->arena, &m->groups, a);
	map_put(m->arena, &m->group_of, record_op(r, 0), m->groups.n);
}

/* A list of groups: what they say together. */
static void
attr_list(BcModule *m)
{
	BcAttrs all = {.first = m->param_attrs.n};

	for (u32 k = 0; k < m->r.n; k++) {
		u32 row = map_get(&m->group_of, m->r.op[k]);
		BcAttrs *g = row ? &m->groups.at[row - 1] : NULL;
		if (!g) {
			m->bad = true;
			return;
		}
		all.no_return |= g->no_return;
		all.no_unwind |= g->no_unwind;
		all.twice |= g->twice;
		all.always_inline |= g->always_inline;
		all.pure |= g->pure;
		for (u32 i = 0; i < g->n; i++)
			vec_push(m->arena, &m->param_attrs, m->param_attrs.at[g->first + i]);
		all.n += g->n;
	}
	vec_push(m->arena, &m->attrs, all);
}

/* Reads the records of a block, none of which is another block. */
static void
records(BcModule *m, void (*take)(BcModule *))
{
	u32 what;

	bits_enter(&m->bits, m->bits.block);
	while ((what = bits_next(&m->bits, &m->r)) == BITS_RECORD && !m->bad)
		take(m);
	m->bad |= what == BITS_BLOCK || m->bits.bad;
}

/* ---- symbols ------------------------------------------------------------ */

static u32
linkage(u64 code)
{
	static const u8 of[] = {LLVMExternalLinkage,
				LLVMWeakAnyLinkage,
				LLVMAppendingLinkage,
				LLVMInternalLinkage,
				LLVMLinkOnceAnyLinkage,
				LLVMExternalLinkage,
				LLVMExternalLinkage,
				LLVMExternalWeakLinkage,
				LLVMCommonLinkage,
				LLVMPrivateLinkage,
				LLVMWeakODRLinkage,
				LLVMLinkOnceODRLinkage,
				LLVMAvailableExternallyLinkage,
				LLVMPrivateLinkage,
				LLVMPrivateLinkage,
				LLVMExternalLinkage,
				LLVMWeakAnyLinkage,
				LLVMWeakODRLinkage,
				LLVMLinkOnceAnyLinkage,
				LLVMLinkOnceODRLinkage};

	return code < COUNT(of) ? of[code] : LLVMExternalLinkage;
}

/* A symbol, which has the next number; its record begins with where its name is. */
static BcGlobal *
symbol(BcModule *m, u8 kind, BcType *of)
{
	BcGlobal *g = arena_new(m->arena, BcGlobal);
	u64 at = record_op(&m->r, 0), n = record_op(&m->r, 1);

	g->v = (BcValue){.kind = kind, .of = of, .type = m->pointer};
	m->bad |= at > m->nstrtab || n > m->nstrtab - at || m->next != m->vals.n || m->in_constants;
	if (!m->bad) {
		g->name = m->strtab + at;
		g->nname = (u32)n;
	}
	vec_push(m->arena, &m->vals, &g->v);
	m->next++;
	m->nglobal = m->next;
	return g;
}

static const char *
section(BcModule *m, u64 number)
{
	if (!number)
		return NULL;
	if (number <= m->sections.n)
		return m->sections.at[number - 1];
	m->bad = true;
	return NULL;
}

/* May a variable or an alias be of that type? */
static bool
may_be_held(const BcType *t)
{
	return t->is_sized || t->opaque || t->kind == LLVMStructTypeKind ||
	       t->kind == LLVMArrayTypeKind;
}

/* [name, name, type, constant | typed << 1 | space << 2, contents + 1, linkage, alignment,
 * section, visibility, thread-local, ...] */
static void
variable(BcModule *m)
{
	const Record *r = &m->r;
	BcGlobal *g = symbol(m, LLVMGlobalVariableValueKind, bc_type(m, record_op(r, 2)));

	m->bad |= !(record_op(r, 3) & 2) || !may_be_held(g->v.of);
	g->v.type = bc_pointer(m, (u32)(record_op(r, 3) >> 2));
	g->constant = record_op(r, 3) & 1;
	g->init = (u32)record_op(r, 4);
	g->declared = !g->init;
	g->linkage = linkage(record_op(r, 5));
	g->section = section(m, record_op(r, 7));
	g->hidden = record_op(r, 8) == 1;
	g->tls = record_op(r, 9) != 0;
	vec_push(m->arena, &m->globals, g);
}

/* [name, name, type, convention, declared, linkage, attributes, alignment, section,
 * visibility, ...] */
static void
function(BcModule *m)
{
	const Record *r = &m->r;
	BcGlobal *g = symbol(m, LLVMFunctionValueKind, bc_type(m, record_op(r, 2)));

	g->declared = record_op(r, 4) != 0;
	g->linkage = linkage(record_op(r, 5));
	g->attrs = (u32)record_op(r, 6);
	g->hidden = record_op(r, 9) == 1;
	m->bad |= g->v.of->kind != LLVMFunctionTypeKind || g->attrs >= m->attrs.n;
	if (!m->bad && !g->declared)
		m->inlines |= m->attrs.at[g->attrs].always_inline;
	vec_push(m->arena, &m->fns, g);
}

/* [name, name, type, space, what it names, linkage, visibility, ...], an ifunc likewise */
static void
alias(BcModule *m, u8 kind)
{
	const Record *r = &m->r;
	BcGlobal *g = symbol(m, kind, bc_type(m, record_op(r, 2)));

	g->v.type = bc_pointer(m, (u32)record_op(r, 3));
	g->init = (u32)record_op(r, 4) + 1;
	g->linkage = linkage(record_op(r, 5));
	g->hidden = record_op(r, 6) == 1;
	m->bad |= kind == LLVMGlobalIFuncValueKind
		      ? g->v.of->kind != LLVMFunctionTypeKind
		      : !may_be_held(g->v.of) && g->v.of->kind != LLVMFunctionTypeKind;
	if (kind == LLVMGlobalAliasValueKind)
		vec_push(m->arena, &m->aliases, g);
	else
		vec_push(m->arena, &m->ifuncs, g);
}

static void
module_record(BcModule *m)
{
	switch (m->r.code) {
	case MODULE_VERSION: m->bad |= record_op(&m->r, 0) != VERSION; break;
	case MODULE_TRIPLE: m->triple = text(m); break;
	case MODULE_LAYOUT: bc_layout_parse(m, text(m), m->r.n); break;
	case MODULE_SECTION: vec_push(m->arena, &m->sections, text(m)); break;
	case MODULE_VAR: variable(m); break;
	case MODULE_FN: function(m); break;
	case MODULE_ALIAS: alias(m, LLVMGlobalAliasValueKind); break;
	case MODULE_IFUNC: alias(m, LLVMGlobalIFuncValueKind); break;
	default: break; /* comdats, sources, assembly of the module */
	}
}

/* ---- bodies ------------------------------------------------------------- */

/* Notes where the body of the next function is that has one, and reads its nodes, which come
 * before the first instruction. */
static void
find_body(BcModule *m)
{
	BcGlobal *f;
	u32 what;

	while (m->nbodies < m->fns.n && m->fns.at[m->nbodies]->declared)
		m->nbodies++;
	if (m->nbodies == m->fns.n) {
		m->bad = true;
		return;
	}
	f = m->fns.at[m->nbodies++];
	f->body = m->bits.at;
	bits_enter(&m->bits, BLOCK_FN);
	while ((what = bits_next(&m->bits, &m->r)) != BITS_END && !m->bad) {
		if (what == BITS_RECORD && m->r.code != 1)
			break;
		if (what == BITS_BLOCK && m->bits.block == BLOCK_METADATA)
			bc_metas(m, f);
		else if (what == BITS_BLOCK)
			bits_skip(&m->bits);
	}
	if (what == BITS_END)
		m->bad = true;
	else
		bits_leave(&m->bits);
}

static void
module_block(BcModule *m)
{
	switch (m->bits.block) {
	case BLOCK_ABOUT: bits_about_blocks(&m->bits, &m->r); break;
	case BLOCK_ATTRS: records(m, attr_list); break;
	case BLOCK_ATTR_GROUPS: records(m, group); break;
	case BLOCK_TYPES: bc_types(m); break;
	case BLOCK_CONSTANTS:
		m->in_constants = true;
		bc_constants(m);
		break;
	case BLOCK_METADATA: bc_metas(m, NULL); break;
	case BLOCK_FN: find_body(m); break;
	default: bits_skip(&m->bits); /* kinds of nodes, names of bundles and scopes */
	}
}

static void
module(BcModule *m)
{
	u32 what;

	bits_enter(&m->bits, BLOCK_MODULE);
	while ((what = bits_next(&m->bits, &m->r)) != BITS_END && !m->bad)
		if (what == BITS_RECORD)
			module_record(m);
		else
			module_block(m);
}

/* ---- the file ----------------------------------------------------------- */

/* Only LLVM 19's own form is read. */
static void
identification(BcModule *m)
{
	u32 what;

	bits_enter(&m->bits, BLOCK_IDENTIFICATION);
	while ((what = bits_next(&m->bits, &m->r)) == BITS_RECORD)
		if (m->r.code == 1)
			m->known = m->r.n > 6 && !strncmp(text(m), "LLVM19", 6);
	m->bad |= what == BITS_BLOCK;
}

static void
string_table(BcModule *m)
{
	bits_enter(&m->bits, BLOCK_STRTAB);
	while (bits_next(&m->bits, &m->r) == BITS_RECORD && !m->bad)
		if (m->r.code == 1 && m->r.blob) {
			m->strtab = (const char *)m->r.blob;
			m->nstrtab = m->r.nblob;
		}
}

/* Goes through the blocks of the file; the module, whose place is returned, is left for later. */
static u64
blocks(BcModule *m)
{
	u64 at = 0;

	while (!m->bad && m->bits.at + 32 <= m->bits.end &&
	       bits_next(&m->bits, &m->r) == BITS_BLOCK) {
		switch (m->bits.block) {
		case BLOCK_IDENTIFICATION: identification(m); break;
		case BLOCK_STRTAB: string_table(m); break;
		case BLOCK_MODULE:
			m->bad |= at != 0; /* several modules in one file */
			at = m->bits.at;
			bits_skip(&m->bits);
			break;
		default: bits_skip(&m->bits);
		}
	}
	m->bad |= m->bits.bad || !m->known || !m->strtab;
	return at;
}

/* What symbols hold or stand for must have come. */
static void
check_contents(BcModule *m)
{
	for (u32 k = 0; k < m->nglobal && !m->bad; k++) {
		const BcGlobal *g = bc_global(m->vals.at[k]);
		bool is_fn = bc_is_fn(&g->v), is_var = g->v.kind == LLVMGlobalVariableValueKind;
		m->bad |= g->init > m->nlasting || (!is_fn && !is_var && !g->init);
	}
}

/* Some systems have the bitcode wrapped: behind five numbers, of which the third and fourth say where
 * in the file it is, and how long. */
static const void *
unwrap(const void *bytes, size_t *n)
{
	static const u8 magic[] = {0xde, 0xc0, 0x17, 0x0b};
	u32 head[5];

	if (*n < sizeof head || memcmp(bytes, magic, sizeof magic))
		return bytes;
	memcpy(head, bytes, sizeof head);
	if (head[2] > *n || head[3] > *n - head[2])
		return bytes;
	*n = head[3];
	return (const u8 *)bytes + head[2];
}

void
bc_read(BcModule *m, Arena *a, const void *bytes, size_t n)
{
	static const u8 magic[] = {'B', 'C', 0xc0, 0xde};
	u64 at;

	bytes = unwrap(bytes, &n);
	*m = (BcModule){.arena = a, .triple = ""};
	m->pool[0].arena = m->pool[1].arena = a;
	bc_types_init(m);
	bc_layout_parse(m, "", 0);
	vec_push(a, &m->attrs, (BcAttrs){0});
	if (n < sizeof magic || memcmp(bytes, magic, sizeof magic)) {
		m->bad = true;
		return;
	}
	bits_init(&m->bits, a, bytes, n);
	m->bits.at = 8 * sizeof magic;
	at = blocks(m);
	if (m->bad || !at) {
		m->bad = true;
		return;
	}
	m->bits.at = at;
	module(m);
	m->bad |= m->bits.bad || m->pending;
	for (u32 k = m->nbodies; k < m->fns.n; k++)
		m->bad |= !m->fns.at[k]->declared;
	m->nlasting = m->next;
	check_contents(m);
	bc_check_constants(m, 0);
}
