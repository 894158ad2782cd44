/* parse.c - reads the text form: tokens, types, classes, globals.
 *
 * A first pass over the tokens declares every type, class, global and
 * function, so that the order of definitions is free; ids are given in the
 * order of the text.  Nothing here checks that the program makes sense: that
 * is ir_check's.  Each step consumes a token or fails, so reading ends. */
#include "ir/parse_int.h"

#include <stdarg.h>
#include <string.h>

/* ---- tokens ------------------------------------------------------------- */

void
parse_fail(Parser *p, const Token *t, const char *fmt, ...)
{
	va_list ap;

	if (!p->failed) {
		va_start(ap, fmt);
		diag_at(p->diag, DIAG_ERROR, p->file, t->line, t->col, "%s",
			arena_vprintf(&p->scratch, fmt, ap));
		va_end(ap);
	}
	p->failed = true;
	p->at = p->toks.n - 1;
}

const Token *
parse_next(Parser *p)
{
	const Token *t = tok(p);

	if (t->kind != TOK_END)
		p->at++;
	return t;
}

bool
parse_is(const Parser *p, char punct)
{
	return tok(p)->kind == TOK_PUNCT && tok(p)->punct == punct;
}

static bool
is_word(const Token *t, const char *word)
{
	return t->kind == TOK_WORD && t->len == strlen(word) && !memcmp(t->at, word, t->len);
}

bool
parse_is_word(const Parser *p, const char *word)
{
	return is_word(tok(p), word);
}

bool
parse_accept(Parser *p, char punct)
{
	if (!parse_is(p, punct))
		return false;
	p->at++;
	return true;
}

bool
parse_accept_word(Parser *p, const char *word)
{
	if (!parse_is_word(p, word))
		return false;
	p->at++;
	return true;
}

void
parse_expect(Parser *p, char punct)
{
	if (!parse_accept(p, punct))
		parse_fail(p, tok(p), "expected '%c'", punct);
}

u64
parse_uint(Parser *p, u64 max)
{
	const Token *t = parse_next(p);

	if (t->kind != TOK_INT || t->neg || t->num > max) {
		parse_fail(p, t, "expected a number from 0 to %llu", (unsigned long long)max);
		return 0;
	}
	return t->num;
}

i64
parse_int(Parser *p)
{
	const Token *t = parse_next(p);

	if (t->kind != TOK_INT || (t->neg && t->num > (u64)INT64_MAX + 1)) {
		parse_fail(p, t, "expected an integer of 64 bits");
		return 0;
	}
	return (i64)(t->neg ? -t->num : t->num);
}

StrId
parse_string(Parser *p)
{
	const Token *t = parse_next(p);

	if (t->kind != TOK_STR)
		parse_fail(p, t, "expected a string");
	return parse_intern(p, t);
}

/* The digits behind the first `skip` letters of t; false if it is not so. */
static bool
number_behind(const Token *t, u32 skip, u64 max, u64 *num)
{
	u64 x = 0;

	if (t->len <= skip || t->len > skip + 10)
		return false;
	for (u32 i = skip; i < t->len; i++) {
		if (t->at[i] < '0' || t->at[i] > '9')
			return false;
		x = x * 10 + (u64)(t->at[i] - '0');
	}
	*num = x;
	return x <= max;
}

u32
parse_ref(Parser *p, char letter)
{
	const Token *t = parse_next(p);
	u64 x = 0;

	if (t->kind != TOK_WORD || *t->at != letter || !number_behind(t, 1, UINT32_MAX, &x))
		parse_fail(p, t, "expected %c and a number, as in %c1", letter, letter);
	return (u32)x;
}

bool
parse_kind(Parser *p, Kind *kind)
{
	static const char *const prefix[] = {"w", "i", "f", "ptr", "agg"};
	const Token *t = tok(p);
	int rt;
	u64 width = 0;

	if (t->kind != TOK_WORD)
		return false;
	rt = text_find(text_regtypes, t->at, t->len);
	if (rt == RT_PTR)
		width = p->ir->ptr_bytes * 8;
	for (u32 k = 0; rt < 0 && k < COUNT(prefix); k++) {
		u32 n = (u32)strlen(prefix[k]);
		if (t->len > n && !memcmp(t->at, prefix[k], n) &&
		    number_behind(t, n, UINT16_MAX, &width))
			rt = (int)k;
	}
	if (rt < 0)
		return false;
	p->at++;
	*kind = (Kind){(u8)rt, (u16)width};
	return true;
}

SrcId
parse_src(Parser *p, StrId file)
{
	u32 line, col = 0;

	if (parse_accept(p, '-'))
		return 0;
	if (tok(p)->kind == TOK_STR) {
		file = parse_string(p);
		parse_expect(p, ':');
	}
	line = (u32)parse_uint(p, UINT32_MAX);
	if (parse_accept(p, ':'))
		col = (u32)parse_uint(p, UINT32_MAX);
	return p->failed ? 0 : ir_src(p->ir, file, line, col);
}

SrcId
parse_src_or(Parser *p, SrcId src, const Token *t)
{
	return src == UNSAID ? ir_src(p->ir, p->file_name, t->line, 0) : src;
}

/* ---- symbols ------------------------------------------------------------ */

u32
parse_symbol(Parser *p, const Token *t, char *table)
{
	StrId name;
	u32 f, g;

	if (t->kind != TOK_SYM) {
		parse_fail(p, t, "expected a symbol, as in @main");
		return 0;
	}
	*table = t->table;
	if (t->has_num) {
		if (!t->num || t->num >= (t->table == 'f' ? p->ir->fns.n : p->ir->globals.n))
			parse_fail(p, t, "there is no %c%llu", t->table,
				   (unsigned long long)t->num);
		return (u32)t->num;
	}
	name = parse_intern(p, t);
	f = map_get(&p->fns, name);
	g = map_get(&p->globals, name);
	if (!f && !g)
		parse_fail(p, t, "@%.*s is not defined", (int)t->len, t->at);
	else if ((f && g) || f == SEVERAL || g == SEVERAL)
		parse_fail(p, t, "there are several @%.*s: add 'f or 'g and the id", (int)t->len,
			   t->at);
	*table = f ? 'f' : 'g';
	return f ? f : g;
}

FnId
parse_fn_ref(Parser *p)
{
	const Token *t = parse_next(p);
	char table = 0;
	u32 id = parse_symbol(p, t, &table);

	if (table != 'f')
		parse_fail(p, t, "expected a function");
	return id;
}

static Val
parse_address(Parser *p)
{
	char table = 0;
	u32 id = parse_symbol(p, parse_next(p), &table);
	i64 off = 0;

	if (p->failed)
		return 0;
	if (table == 'f')
		return ir_const_fn(p->ir, id);
	if (parse_accept(p, '[')) {
		off = parse_int(p);
		parse_expect(p, ']');
	}
	return ir_const_global(p->ir, id, off);
}

Val
parse_const(Parser *p, u16 width)
{
	const Token *t = tok(p);
	Kind kind;

	if (t->kind == TOK_SYM)
		return parse_address(p);
	if (t->kind == TOK_INT)
		return ir_const_int(p->ir, width, parse_int(p));
	if (parse_accept_word(p, "null"))
		return ir_const_null(p->ir);
	if (parse_accept_word(p, "undef"))
		return ir_const_undef(p->ir);
	if (parse_accept_word(p, "opaque"))
		return ir_const_opaque(p->ir);
	if (parse_accept_word(p, "none"))
		return 0;
	if (parse_accept_word(p, "class"))
		return ir_const_class(p->ir, parse_ref(p, 'c'));
	if (parse_kind(p, &kind) && kind.rt == RT_INT)
		return ir_const_int(p->ir, kind.width, parse_int(p));
	parse_fail(p, t, "expected a value");
	return 0;
}

/* ---- types and classes -------------------------------------------------- */

static void
parse_member(Parser *p)
{
	Member m = {.off = parse_uint(p, UINT64_MAX)};

	parse_expect(p, ':');
	m.type = parse_ref(p, 't');
	if (tok(p)->kind == TOK_STR)
		m.name = parse_string(p);
	vec_push(p->ir->arena, &p->ir->members, m);
}

static void
parse_type(Parser *p)
{
	TypeId id = p->next_type++;
	Type t = {.member = p->ir->members.n};
	const Token *kind;
	int k;

	if (parse_ref(p, 't') != id)
		parse_fail(p, tok(p), "types are numbered from t1 without gaps: this is t%u", id);
	parse_expect(p, '=');
	kind = parse_next(p);
	k = kind->kind == TOK_WORD ? text_find(text_types, kind->at, kind->len) : -1;
	if (k < 0)
		parse_fail(p, kind, "expected a kind of type, as in struct");
	t.kind = (u8)k;
	while (!tok(p)->first && tok(p)->kind != TOK_END) {
		if (tok(p)->kind == TOK_STR)
			t.name = parse_string(p);
		else if (parse_accept_word(p, "size"))
			t.size = parse_uint(p, UINT64_MAX);
		else if (parse_accept_word(p, "elem"))
			t.elem = parse_ref(p, 't');
		else if (parse_accept_word(p, "count"))
			t.count = parse_uint(p, UINT64_MAX);
		else if (parse_accept(p, '{')) {
			while (!parse_is(p, '}') && tok(p)->kind != TOK_END)
				parse_member(p);
			parse_expect(p, '}');
		} else
			parse_fail(p, tok(p), "this is no attribute of a type");
	}
	t.nmember = p->ir->members.n - t.member;
	if (!t.nmember)
		t.member = 0;
	p->ir->types.at[id] = t;
}

static void
parse_field(Parser *p, ClassId class)
{
	Field f = {.class = class};

	if (parse_ref(p, 'f') != p->ir->fields.n)
		parse_fail(p, tok(p), "fields are numbered from f1 without gaps: this is f%u",
			   p->ir->fields.n);
	parse_expect(p, ':');
	f.type = parse_ref(p, 't');
	f.name = parse_string(p);
	if (parse_accept_word(p, "flags"))
		f.flags = (u32)parse_uint(p, UINT32_MAX);
	if (parse_accept_word(p, "guard"))
		f.guard = parse_string(p);
	vec_push(p->ir->arena, &p->ir->fields, f);
}

static StrId
parse_unit_name(Parser *p)
{
	return parse_accept_word(p, "none") ? 0 : parse_string(p);
}

/* Interfaces, fields and methods, in any order; each kind is kept together. */
static void
parse_class_body(Parser *p, Class *c, ClassId id)
{
	Ir *ir = p->ir;
	VecU32 ifaces = {0}, methods = {0};

	c->field = ir->fields.n;
	while (!parse_is(p, '}') && tok(p)->kind != TOK_END) {
		if (parse_accept_word(p, "iface"))
			vec_push(&p->scratch, &ifaces, parse_ref(p, 'c'));
		else if (parse_accept_word(p, "field"))
			parse_field(p, id);
		else if (parse_accept_word(p, "method"))
			vec_push(&p->scratch, &methods, parse_fn_ref(p));
		else
			parse_fail(p, tok(p), "expected iface, field or method");
	}
	parse_expect(p, '}');
	c->nfield = ir->fields.n - c->field;
	c->iface = ir->refs.n;
	c->niface = ifaces.n;
	for (u32 k = 0; k < ifaces.n; k++)
		vec_push(ir->arena, &ir->refs, ifaces.at[k]);
	c->method = ir->refs.n;
	c->nmethod = methods.n;
	for (u32 k = 0; k < methods.n; k++)
		vec_push(ir->arena, &ir->refs, methods.at[k]);
}

static void
parse_class(Parser *p)
{
	ClassId id = p->next_class++;
	Class c = {.unit = p->ir->unit};

	if (parse_ref(p, 'c') != id)
		parse_fail(p, tok(p), "classes are numbered from c1 without gaps: this is c%u", id);
	parse_expect(p, '=');
	c.name = parse_string(p);
	while (!tok(p)->first && tok(p)->kind != TOK_END) {
		if (parse_accept_word(p, "super"))
			c.super = parse_ref(p, 'c');
		else if (parse_accept_word(p, "flags"))
			c.flags = (u32)parse_uint(p, UINT32_MAX);
		else if (parse_accept_word(p, "unit"))
			c.unit = parse_unit_name(p);
		else if (parse_accept_word(p, "cinit"))
			c.cinit = parse_fn_ref(p);
		else if (parse_accept(p, '{'))
			parse_class_body(p, &c, id);
		else
			parse_fail(p, tok(p), "this is no attribute of a class");
	}
	p->ir->classes.at[id] = c;
}

/* ---- globals ------------------------------------------------------------ */

static void
parse_inits(Parser *p, Global *g)
{
	Ir *ir = p->ir;

	parse_expect(p, '{');
	g->init = ir->inits.n;
	while (!parse_is(p, '}') && tok(p)->kind != TOK_END) {
		Init i = {.off = parse_uint(p, UINT64_MAX)};
		parse_expect(p, ':');
		i.val = parse_const(p, 32);
		vec_push(ir->arena, &ir->inits, i);
		if (!parse_is(p, '}'))
			parse_expect(p, ',');
	}
	parse_expect(p, '}');
	g->ninit = ir->inits.n - g->init;
	if (!g->ninit)
		g->init = 0;
}

static bool
parse_linkage(Parser *p, u8 *linkage)
{
	const Token *t = tok(p);
	int k = t->kind == TOK_WORD ? text_find(text_linkages, t->at, t->len) : -1;

	if (k < 0)
		return false;
	*linkage = (u8)k;
	p->at++;
	return true;
}

static void
parse_global_attribute(Parser *p, Global *g, bool *sized)
{
	const Token *t = tok(p);
	char table = 0;

	if (parse_accept_word(p, "size")) {
		g->size = parse_uint(p, UINT64_MAX);
		*sized = true;
	} else if (parse_accept_word(p, "type")) {
		g->type = parse_ref(p, 't');
	} else if (parse_accept_word(p, "unit")) {
		g->unit = parse_unit_name(p);
	} else if (parse_accept_word(p, "pretty")) {
		g->pretty = parse_string(p);
	} else if (parse_accept_word(p, "alias")) {
		t = parse_next(p);
		g->alias = parse_symbol(p, t, &table);
		if (table != 'g')
			parse_fail(p, t, "expected a global");
	} else if (parse_accept(p, '=')) {
		parse_inits(p, g);
	} else if (parse_accept(p, '!')) {
		g->src = parse_src(p, p->file_name);
	} else {
		parse_fail(p, t, "this is no attribute of a global");
	}
}

static void
parse_global(Parser *p)
{
	GlobalId id = p->next_global++;
	Global *g = &p->ir->globals.at[id];
	const Token *start = tok(p);
	bool sized = false;

	g->linkage = LINK_EXTERNAL;
	g->unit = p->ir->unit;
	g->src = UNSAID;
	parse_linkage(p, &g->linkage);
	for (;;) {
		if (parse_accept_word(p, "tls"))
			g->tls = true;
		else if (parse_accept_word(p, "constant"))
			g->constant = true;
		else
			break;
	}
	if (tok(p)->kind != TOK_SYM || (tok(p)->has_num && tok(p)->num != id))
		parse_fail(p, tok(p), "expected the name of global number %u", id);
	parse_next(p);
	while (!tok(p)->first && tok(p)->kind != TOK_END)
		parse_global_attribute(p, g, &sized);
	g->src = parse_src_or(p, g->src, start);
	if (!sized)
		g->size = g->type && g->type < p->next_type ? p->ir->types.at[g->type].size : 4;
}

/* ---- the program -------------------------------------------------------- */

static void
parse_fn_item(Parser *p, bool declared)
{
	FnId id = p->next_fn++;
	Fn *f = &p->ir->fns.at[id];

	f->linkage = declared ? LINK_DECL : LINK_EXTERNAL;
	f->src = UNSAID;
	if (!declared)
		parse_linkage(p, &f->linkage);
	if (tok(p)->kind != TOK_SYM || (tok(p)->has_num && tok(p)->num != id))
		parse_fail(p, tok(p), "expected the name of function number %u", id);
	parse_next(p);
	parse_fn(p, id);
}

static void
parse_assumption(Parser *p)
{
	Assume a = {.src = UNSAID};
	const Token *start = tok(p);

	a.what = parse_string(p);
	if (tok(p)->kind == TOK_SYM)
		a.fn = parse_fn_ref(p);
	if (parse_accept(p, '!'))
		a.src = parse_src(p, p->file_name);
	a.src = parse_src_or(p, a.src, start);
	vec_push(p->ir->arena, &p->ir->assumes, a);
}

static void
parse_unit(Parser *p)
{
	Ir *ir = p->ir;

	ir->unit = parse_unit_name(p);
	if (parse_accept_word(p, "hash"))
		ir->hash = parse_uint(p, UINT64_MAX);
	if (parse_accept_word(p, "ptr")) {
		ir->ptr_bytes = (u32)parse_uint(p, 8);
		if (ir->ptr_bytes != 4 && ir->ptr_bytes != 8)
			parse_fail(p, tok(p), "pointers have 4 or 8 bytes");
	}
}

static void
declare_symbol(Parser *p, u32 from, Map *map, u32 id, StrId *name)
{
	while (p->toks.at[from].kind != TOK_SYM && p->toks.at[from].kind != TOK_END)
		from++;
	*name = parse_intern(p, &p->toks.at[from]);
	if (*name)
		map_put(&p->scratch, map, *name, map_get(map, *name) ? SEVERAL : id);
}

/* Makes room for every definition and enters its name. */
static void
declare(Parser *p)
{
	Ir *ir = p->ir;
	u32 depth = 0;

	for (u32 i = 0; i < p->toks.n; i++) {
		const Token *t = &p->toks.at[i];
		if (t->kind == TOK_PUNCT)
			depth += t->punct == '{' ? 1 : t->punct == '}' && depth ? -1u : 0;
		if (depth || !t->first)
			continue;
		if (is_word(t, "type")) {
			(void)vec_extend(ir->arena, &ir->types, 1);
		} else if (is_word(t, "class")) {
			(void)vec_extend(ir->arena, &ir->classes, 1);
		} else if (is_word(t, "global")) {
			Global *g = vec_extend(ir->arena, &ir->globals, 1);
			declare_symbol(p, i, &p->globals, ir->globals.n - 1, &g->name);
		} else if (is_word(t, "fn") || is_word(t, "declare")) {
			Fn *f = vec_extend(ir->arena, &ir->fns, 1);
			declare_symbol(p, i, &p->fns, ir->fns.n - 1, &f->name);
		}
	}
}

static void
parse_item(Parser *p)
{
	const Token *t = tok(p);

	if (!t->first)
		parse_fail(p, t, "a definition starts on a new line");
	if (parse_accept_word(p, "type"))
		parse_type(p);
	else if (parse_accept_word(p, "class"))
		parse_class(p);
	else if (parse_accept_word(p, "global"))
		parse_global(p);
	else if (parse_accept_word(p, "fn"))
		parse_fn_item(p, false);
	else if (parse_accept_word(p, "declare"))
		parse_fn_item(p, true);
	else if (parse_accept_word(p, "assumption"))
		parse_assumption(p);
	else
		parse_fail(p, t, "expected type, class, global, fn, declare or assumption");
}

bool
ir_parse(Ir *ir, const char *file, const char *text, size_t n, struct Diag *diag)
{
	Parser p = {.ir = ir,
		    .diag = diag,
		    .file = file,
		    .next_type = 1,
		    .next_class = 1,
		    .next_global = 1,
		    .next_fn = 1};
	bool full = arena_exceeded(ir->arena); /* a program that says so is read all the same */

	arena_init(&p.scratch, ir->arena->budget);
	p.file_name = ir->unit = intern_str(&ir->strs, file);
	p.failed = !lex_text(&p.toks, &p.scratch, file, text, n, diag);
	if (!p.failed) {
		if (parse_accept_word(&p, "unit"))
			parse_unit(&p);
		declare(&p);
		while (tok(&p)->kind != TOK_END && (full || !arena_exceeded(ir->arena)))
			parse_item(&p);
	}
	if (!p.failed && tok(&p)->kind != TOK_END) {
		diag_error(diag, file, "not read: the memory limit leaves no room for it");
		p.failed = true;
	}
	arena_release(&p.scratch);
	return !p.failed;
}
