/* parse.c - reads model files.
 *
 *	file    = { cell | wrap | rule }
 *	cell    = ("global" | "thread") NAME BYTES ["what it is"]
 *	wrap    = "wrap" pattern ":" "hold" ("write" | "read") value ["recursive"]
 *	rule    = ["override"] pattern { "," pattern } "(" [ NAME { "," NAME } ] [ "..." ] ")"
 *	          [ ":" effects ] newline { INDENT effects newline }
 *	effects = effect { ";" effect }
 *	value   = NAME | "..." | NUMBER | "null" | "any" | "result" | "(" value ")"
 *	        | "*" value | "into" value | value "+" NUMBER
 *	size    = "any" | "string" | "word" | value { "*" value }
 *
 * Each verb has one function below, with its grammar above it.  A mistake is
 * told once per rule: the rest of the rule is skipped.  Each step eats a token
 * or fails, and values nest to a bound, so reading ends. */
#include "model/parse.h"

#include "base/diag.h"
#include "model/lex.h"

#include <string.h>

enum { MAX_PARAMS = 64, MAX_NESTING = 8, MAX_ERRORS = 20 };

typedef struct Parser {
	Models *m;
	Diag *diag;
	const char *file;
	Lex lex;
	Tok t; /* the token looked at */
	bool failed; /* in this rule */
	u32 errors;
	Tok param[MAX_PARAMS];
	u32 nparam;
	bool variadic;
	bool result; /* an effect so far makes the call's result */
	bool rest;   /* this effect uses `...` */
	u32 depth;
} Parser;

/* ---- tokens ------------------------------------------------------------- */

static void
next(Parser *p)
{
	p->t = lex_next(&p->lex);
}

static const char *
describe(Parser *p)
{
	switch (p->t.kind) {
	case TOK_END:
		return "the end of the file";
	case TOK_LINE:
	case TOK_INDENT:
		return "the end of the line";
	case TOK_STRING:
		return "a string";
	case TOK_BAD:
		if (*p->t.text == '"')
			return "a string without its closing '\"'";
		if ((unsigned char)*p->t.text < ' ' || (unsigned char)*p->t.text > '~')
			return arena_printf(p->m->arena, "byte 0x%02x", (unsigned char)*p->t.text);
		break;
	default:
		break;
	}
	return arena_printf(p->m->arena, "'%.*s'", (int)p->t.len, p->t.text);
}

static void
complain(Parser *p, const Tok *at, const char *what)
{
	if (p->failed)
		return;
	p->failed = true;
	p->errors++;
	diag_at(p->diag, DIAG_ERROR, p->file, at->line, at->col, "%s", what);
}

static void
expected(Parser *p, const char *what)
{
	complain(p, &p->t,
	         arena_printf(p->m->arena, "expected %s, found %s", what, describe(p)));
}

static bool
tok_is(const Tok *t, const char *word)
{
	return (t->kind == TOK_NAME || t->kind == TOK_PUNCT) && t->len == strlen(word) &&
	       !memcmp(t->text, word, t->len);
}

static bool
at(const Parser *p, const char *word)
{
	return !p->failed && tok_is(&p->t, word);
}

static bool
accept(Parser *p, const char *word)
{
	if (!at(p, word))
		return false;
	next(p);
	return true;
}

static void
want(Parser *p, const char *word)
{
	if (!p->failed && !accept(p, word))
		expected(p, arena_printf(p->m->arena, "'%s'", word));
}

static bool
line_ends(const Parser *p)
{
	return p->t.kind == TOK_LINE || p->t.kind == TOK_END;
}

static i64
number(Parser *p, const char *what)
{
	i64 num = p->t.num;

	if (p->failed)
		return 0;
	if (p->t.kind != TOK_NUMBER) {
		expected(p, what);
		return 0;
	}
	next(p);
	return num;
}

/* One of n words, by its index; -1 after a complaint that lists them. */
static int
choose(Parser *p, const char *const *words, u32 n)
{
	const char *list = "";

	if (p->failed)
		return -1;
	for (u32 i = 0; i < n; i++) {
		if (accept(p, words[i]))
			return (int)i;
		list = arena_printf(p->m->arena, "%s%s'%s'", list,
		                    !i ? "" : i + 1 == n ? " or " : ", ", words[i]);
	}
	expected(p, list);
	return -1;
}

/* ---- values ------------------------------------------------------------- */

static const Expr *
make(Parser *p, ExprKind kind, i64 num, const Expr *of)
{
	Expr *e = arena_new(p->m->arena, Expr);

	*e = (Expr){(u8)kind, num, of};
	return e;
}

static const Expr *
named(Parser *p)
{
	Tok t = p->t;
	u32 name, cell;

	next(p);
	for (u32 i = 0; i < p->nparam; i++)
		if (p->param[i].len == t.len && !memcmp(p->param[i].text, t.text, t.len))
			return make(p, EXPR_PARAM, i, NULL);
	if (tok_is(&t, "null"))
		return make(p, EXPR_NULL, 0, NULL);
	if (tok_is(&t, "any"))
		return make(p, EXPR_ANY, 0, NULL);
	if (tok_is(&t, "result")) {
		if (!p->result)
			complain(p, &t, "'result' before the effect that makes it");
		return make(p, EXPR_RESULT, 0, NULL);
	}
	name = intern_find(&p->m->names, t.text, t.len);
	cell = name ? map_get(&p->m->cell_of, name) : 0;
	if (cell)
		return make(p, EXPR_CELL, cell, NULL);
	complain(p, &t,
	         arena_printf(p->m->arena,
	                      "'%.*s' is neither a parameter nor a declared global",
	                      (int)t.len, t.text));
	return NULL;
}

static const Expr *value(Parser *p);
static const Expr *primary(Parser *p);

static bool
deepen(Parser *p)
{
	if (++p->depth > MAX_NESTING)
		complain(p, &p->t, "a value nested too deeply");
	return !p->failed;
}

static const Expr *
starred(Parser *p)
{
	const Expr *e = deepen(p) ? primary(p) : NULL;

	p->depth--;
	return e;
}

static const Expr *
primary(Parser *p)
{
	const Expr *e;

	if (accept(p, "*"))
		return make(p, EXPR_DEREF, 0, starred(p));
	if (accept(p, "(")) {
		e = value(p);
		want(p, ")");
		return e;
	}
	if (p->t.kind == TOK_REST) {
		if (!p->variadic)
			complain(p, &p->t, "'...' in an effect of a function without '...'");
		next(p);
		p->rest = true;
		return make(p, EXPR_REST, 0, NULL);
	}
	if (p->t.kind == TOK_NUMBER)
		return make(p, EXPR_NUM, number(p, "a number"), NULL);
	if (p->t.kind == TOK_NAME)
		return named(p);
	expected(p, "a value");
	return NULL;
}

static const Expr *
value(Parser *p)
{
	const Expr *e = NULL;

	if (p->failed)
		return NULL;
	if (deepen(p)) {
		if (accept(p, "into"))
			e = make(p, EXPR_INTO, 0, value(p));
		else
			e = primary(p);
	}
	p->depth--;
	while (accept(p, "+"))
		e = make(p, EXPR_PLUS, number(p, "a number of bytes behind '+'"), e);
	return e;
}

static Size
size(Parser *p)
{
	Size s = {.kind = SIZE_PRODUCT};

	if (accept(p, "string"))
		return (Size){.kind = SIZE_STRING};
	if (accept(p, "any"))
		return (Size){.kind = SIZE_ANY};
	if (accept(p, "word"))
		return (Size){.kind = SIZE_WORD};
	do {
		if (s.nfactor == SIZE_FACTORS) {
			complain(p, &p->t, "a product of more than three factors");
			break;
		}
		if (!p->failed && p->t.kind != TOK_NAME && p->t.kind != TOK_NUMBER)
			expected(p, "a number of bytes, 'any', 'string' or 'word'");
		s.factor[s.nfactor++] = value(p);
	} while (accept(p, "*"));
	return s;
}

static void
arguments(Parser *p, Effect *e)
{
	Vec(const Expr *) v = {0};

	want(p, "(");
	if (!accept(p, ")")) {
		do
			vec_push(p->m->arena, &v, value(p));
		while (accept(p, ","));
		want(p, ")");
	}
	e->args = v.at;
	e->narg = v.n;
}

/* order = "order" ("relaxed" | "acquire" | "release" | "acq_rel" | "seq_cst" | NAME) */
static void
order(Parser *p, Effect *e)
{
	static const char *const words[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

	want(p, "order");
	for (u32 i = 0; i < p->nparam && !p->failed; i++)
		if (p->t.kind == TOK_NAME && p->param[i].len == p->t.len &&
		    !memcmp(p->param[i].text, p->t.text, p->t.len)) {
			e->order_arg = named(p);
			return;
		}
	e->order = (u8)(ORDER_RELAXED + choose(p, words, COUNT(words)));
}

/* on = "on" SIGNS ["if" "checked"] */
static void
condition(Parser *p, Effect *e)
{
	static const char *const words[] = {"zero",     "nonzero",  "null",        "nonnull",
	                                    "negative", "positive", "nonnegative", "nonpositive"};
	static const u8 signs[] = {SIGN_ZERO, SIGN_NONZERO, SIGN_ZERO,
	                           SIGN_NONZERO, SIGN_NEG, SIGN_POS,
	                           SIGN_ZERO | SIGN_POS, SIGN_ZERO | SIGN_NEG};
	int k;

	e->cond = SIGN_ANY;
	if (!accept(p, "on"))
		return;
	k = choose(p, words, COUNT(words));
	if (k < 0)
		return;
	e->cond = signs[k];
	e->result = true;
	if (accept(p, "if")) {
		want(p, "checked");
		e->checked = true;
	}
}

static void
bits(Parser *p, Effect *e)
{
	if (accept(p, "width")) {
		i64 n = number(p, "a width in bits");
		if (n < 8 || n > 512)
			complain(p, &p->t, "a width is between 8 and 512 bits");
		e->width = (u16)n;
	}
}

/* ---- verbs -------------------------------------------------------------- */

static void
parse_plain(Parser *p, Effect *e)
{
	(void)p;
	(void)e;
}

/* acquire ("write" | "read") value ["try"] ["recursive"] [on] */
static void
parse_acquire(Parser *p, Effect *e)
{
	static const char *const modes[] = {"write", "read"};

	e->sub = (u8)choose(p, modes, 2);
	e->a = value(p);
	e->try = accept(p, "try");
	e->recursive = accept(p, "recursive");
	condition(p, e);
}

/* release value ["recursive"] [on] */
static void
parse_release(Parser *p, Effect *e)
{
	e->a = value(p);
	e->recursive = accept(p, "recursive");
	condition(p, e);
}

/* fork value "(" values ")" ["handle" (value | "result")] ["width" BITS] [on]
 * The handle is stored at the address value, or returned. */
static void
parse_fork(Parser *p, Effect *e)
{
	e->a = value(p);
	arguments(p, e);
	if (accept(p, "handle")) {
		if (at(p, "result")) {
			next(p);
			e->handle = e->result = true;
		} else {
			e->b = value(p);
		}
	}
	bits(p, e);
	condition(p, e);
}

/* join value ["result" "to" value] ["try"] [on] */
static void
parse_join(Parser *p, Effect *e)
{
	e->a = value(p);
	if (accept(p, "result")) {
		want(p, "to");
		e->b = value(p);
	}
	e->try = accept(p, "try");
	condition(p, e);
}

/* detach | publish | free | assume value */
static void
parse_value(Parser *p, Effect *e)
{
	e->a = value(p);
}

static void
event(Parser *p, Effect *e)
{
#define X(name, text) text,
	static const char *const kinds[] = {IR_EVENTS(X)};
#undef X

	e->sub = (u8)choose(p, kinds, COUNT(kinds));
	e->a = value(p);
}

/* signal KIND value */
static void
parse_signal(Parser *p, Effect *e)
{
	event(p, e);
}

/* await KIND value ["try"] [on] */
static void
parse_await(Parser *p, Effect *e)
{
	event(p, e);
	e->try = accept(p, "try");
	condition(p, e);
}

/* wait value "with" value: releases the second, awaits the first, acquires
 * the second again; it may always return by itself. */
static void
parse_wait(Parser *p, Effect *e)
{
	e->a = value(p);
	want(p, "with");
	e->b = value(p);
}

/* retain value ["in" value]: kept at that address, or by code unknown to us */
static void
parse_retain(Parser *p, Effect *e)
{
	e->a = value(p);
	if (accept(p, "in"))
		e->b = value(p);
}

/* read | write size "at" value [order] */
static void
parse_access(Parser *p, Effect *e)
{
	e->size = size(p);
	want(p, "at");
	e->a = value(p);
	if (at(p, "order"))
		order(p, e);
}

/* copy size "from" value "to" value */
static void
parse_copy(Parser *p, Effect *e)
{
	e->size = size(p);
	want(p, "from");
	e->a = value(p);
	want(p, "to");
	e->b = value(p);
}

/* allocate size ["zeroed"] ["to" value] ["or" "null"] */
static void
parse_allocate(Parser *p, Effect *e)
{
	e->size = size(p);
	e->fresh = accept(p, "zeroed");
	if (accept(p, "to"))
		e->a = value(p);
	else
		e->result = true;
	if (accept(p, "or")) {
		want(p, "null");
		e->or_null = true;
	}
}

/* return value ["or" "null"] */
static void
parse_return(Parser *p, Effect *e)
{
	e->result = true;
	e->a = value(p);
	if (accept(p, "or")) {
		want(p, "null");
		e->or_null = true;
	}
}

/* call value "(" values ")" ["once" | "repeatedly" | "maybe"] ["for" "result"] */
static void
parse_call(Parser *p, Effect *e)
{
	e->a = value(p);
	arguments(p, e);
	e->sub = CALL_PLAIN;
	if (accept(p, "repeatedly"))
		e->sub = CALL_REPEAT;
	else if (accept(p, "maybe"))
		e->sub = CALL_MAYBE;
	else
		(void)accept(p, "once");
	if (accept(p, "for")) {
		want(p, "result");
		e->result = true;
	}
}

/* load value order ["width" BITS]: the result */
static void
parse_load(Parser *p, Effect *e)
{
	e->result = true;
	e->a = value(p);
	order(p, e);
	bits(p, e);
}

/* store value "at" value order ["width" BITS] */
static void
parse_store(Parser *p, Effect *e)
{
	e->b = value(p);
	want(p, "at");
	e->a = value(p);
	order(p, e);
	bits(p, e);
}

/* rmw OPERATION value "with" value order ["new"]: returns the old or new value */
static void
parse_rmw(Parser *p, Effect *e)
{
#define X(name, text) text,
	static const char *const ops[] = {IR_BINOPS(X)};
#undef X

	e->result = true;
	e->sub = (u8)choose(p, ops, COUNT(ops));
	e->a = value(p);
	want(p, "with");
	e->b = value(p);
	order(p, e);
	bits(p, e);
	e->fresh = accept(p, "new");
}

/* cas value "from" value "to" value order ["success"]: returns the old value,
 * or whether it was exchanged */
static void
parse_cas(Parser *p, Effect *e)
{
	e->result = true;
	e->a = value(p);
	want(p, "from");
	e->b = value(p);
	want(p, "to");
	e->c = value(p);
	order(p, e);
	bits(p, e);
	e->fresh = accept(p, "success");
}

/* fence order */
static void
parse_fence(Parser *p, Effect *e)
{
	order(p, e);
}

/* exit ["thread" [value]] */
static void
parse_exit(Parser *p, Effect *e)
{
	e->thread = accept(p, "thread");
	if (e->thread && !line_ends(p) && !at(p, ";"))
		e->a = value(p);
}

/* assumption "text": shown with the report of a program that calls this */
static void
parse_assumption(Parser *p, Effect *e)
{
	if (p->failed)
		return;
	if (p->t.kind != TOK_STRING) {
		expected(p, "a string");
		return;
	}
	e->text = arena_dup(p->m->arena, p->t.text, p->t.len);
	next(p);
}

typedef void (*ParseVerb)(Parser *, Effect *);

static const ParseVerb parse_verb[VERB_COUNT] = {
    [VERB_NOTHING] = parse_plain,      [VERB_ACQUIRE] = parse_acquire,
    [VERB_RELEASE] = parse_release,    [VERB_HOLD] = parse_acquire,
    [VERB_FORK] = parse_fork,          [VERB_JOIN] = parse_join,
    [VERB_DETACH] = parse_value,       [VERB_SIGNAL] = parse_signal,
    [VERB_AWAIT] = parse_await,        [VERB_WAIT] = parse_wait,
    [VERB_PUBLISH] = parse_value,      [VERB_RETAIN] = parse_retain,
    [VERB_FREE] = parse_value,         [VERB_READ] = parse_access,
    [VERB_WRITE] = parse_access,       [VERB_COPY] = parse_copy,
    [VERB_ALLOCATE] = parse_allocate,  [VERB_RETURN] = parse_return,
    [VERB_CALL] = parse_call,          [VERB_LOAD] = parse_load,
    [VERB_STORE] = parse_store,        [VERB_RMW] = parse_rmw,
    [VERB_CAS] = parse_cas,            [VERB_FENCE] = parse_fence,
    [VERB_EXIT] = parse_exit,          [VERB_THROW] = parse_plain,
    [VERB_ASSUME] = parse_value,       [VERB_ASSUMPTION] = parse_assumption,
};

#define X(name, text) text,
static const char *const verb_names[] = {MODEL_VERBS(X)};
#undef X

/* ---- rules -------------------------------------------------------------- */

/* The effects of one rule as they are read. */
typedef struct List {
	Effect *first, **last;
	bool ends;
} List;

static bool
ends(const Effect *e)
{
	return e->verb == VERB_EXIT || e->verb == VERB_THROW;
}

static void
add(Parser *p, List *l, Effect *e, const Tok *where)
{
	if (l->ends)
		complain(p, where, "an effect behind the one that ends the call");
	if (e->result && p->result)
		complain(p, where, "two effects that make the call's result");
	if (p->rest && (e->result || ends(e)))
		complain(p, where, "'...' in the effect that makes the result or ends the call");
	if (e->verb == VERB_HOLD)
		complain(p, where, "'hold' belongs to a 'wrap' rule");
	p->result |= e->result;
	l->ends |= ends(e);
	*l->last = e;
	l->last = &e->next;
}

static void
effect(Parser *p, List *l)
{
	Tok where = p->t;
	Effect *e = arena_new(p->m->arena, Effect);

	p->rest = false;
	for (u32 v = 0; v < VERB_COUNT; v++)
		if (accept(p, verb_names[v])) {
			e->verb = (u8)v;
			parse_verb[v](p, e);
			if (!p->failed)
				add(p, l, e, &where);
			return;
		}
	if (p->t.kind == TOK_NAME)
		complain(p, &p->t,
		         arena_printf(p->m->arena, "'%.*s' is not an effect", (int)p->t.len,
		                      p->t.text));
	expected(p, "an effect");
}

static void
effects(Parser *p, List *l)
{
	do
		effect(p, l);
	while (accept(p, ";"));
	if (!p->failed && !line_ends(p))
		expected(p, "';' or the end of the line");
}

typedef struct Head {
	Tok name;
	bool head, tail; /* stars */
} Head;

static bool
head_name(Parser *p, Head *h)
{
	*h = (Head){0};
	h->head = accept(p, "*");
	if (p->failed || p->t.kind != TOK_NAME) {
		expected(p, "a function's name");
		return false;
	}
	h->name = p->t;
	next(p);
	if (at(p, "*") && p->t.glued) {
		h->tail = true;
		next(p);
	}
	return true;
}

static void
parameters(Parser *p)
{
	want(p, "(");
	if (accept(p, ")"))
		return;
	do {
		if (p->t.kind == TOK_REST) {
			p->variadic = true;
			next(p);
			break;
		}
		if (p->failed || p->t.kind != TOK_NAME || p->nparam == MAX_PARAMS) {
			expected(p, "a parameter's name or '...'");
			return;
		}
		p->param[p->nparam++] = p->t;
		next(p);
	} while (accept(p, ","));
	want(p, ")");
}

static void
check_twice(Parser *p, const Head *h, const Rule *r)
{
	u32 name = intern_bytes(&p->m->names, h->name.text, h->name.len);

	for (const Rule *q = name < p->m->exact.n ? p->m->exact.at[name] : NULL; q; q = q->next)
		if (q->file == p->file && q->nparam == r->nparam && q->variadic == r->variadic)
			complain(p, &h->name,
			         arena_printf(p->m->arena, "'%.*s' already has a rule in line %u",
			                      (int)h->name.len, h->name.text, q->line));
}

static void
enter(Parser *p, const Head *h, const Rule *r)
{
	Models *m = p->m;
	Rule *copy = arena_new(m->arena, Rule);
	u32 name;

	*copy = *r;
	copy->line = h->name.line;
	if (h->head || h->tail || r->wrap) {
		vec_push(m->arena, &m->patterns,
		         (Pattern){arena_dup(m->arena, h->name.text, h->name.len), h->name.len,
		                   h->head, h->tail, r->wrap, copy});
		return;
	}
	check_twice(p, h, r);
	name = intern_bytes(&m->names, h->name.text, h->name.len);
	if (name >= m->exact.n)
		(void)vec_extend(m->arena, &m->exact, name + 1 - m->exact.n);
	copy->next = m->exact.at[name];
	m->exact.at[name] = copy;
}

/* The effects behind the head: on its line, then on the indented ones. */
static void
body(Parser *p, List *l)
{
	if (accept(p, ":"))
		effects(p, l);
	else if (!p->failed && !line_ends(p))
		expected(p, "':' or the end of the line");
	while (!p->failed && p->t.kind == TOK_LINE) {
		next(p);
		if (p->t.kind != TOK_INDENT)
			return;
		next(p);
		effects(p, l);
	}
}

static void
parse_rule(Parser *p)
{
	Vec(Head) heads = {0};
	Rule r = {.file = p->file};
	List l = {.last = &l.first};
	Tok where = p->t;
	Head h;

	if (at(p, "override")) {
		Lex save = p->lex;
		next(p);
		r.override = !at(p, "(") && !at(p, ",");
		if (!r.override) {
			p->lex = save;
			p->t = where;
		}
	}
	do {
		if (!head_name(p, &h))
			return;
		vec_push(p->m->arena, &heads, h);
	} while (accept(p, ","));
	parameters(p);
	body(p, &l);
	if (!p->failed && !l.first)
		complain(p, &where, "a rule without an effect; write 'nothing' if there is none");
	r.nparam = p->nparam;
	r.variadic = p->variadic;
	r.effects = l.first;
	r.ends = l.ends;
	for (u32 i = 0; i < heads.n && !p->failed; i++)
		enter(p, &heads.at[i], &r);
}

static void
parse_wrap(Parser *p)
{
	Rule r = {.file = p->file, .wrap = true};
	Effect *e = arena_new(p->m->arena, Effect);
	Head h;

	next(p);
	if (!head_name(p, &h))
		return;
	want(p, ":");
	want(p, "hold");
	e->verb = VERB_HOLD;
	parse_acquire(p, e);
	if (!p->failed && (e->try || e->result))
		complain(p, &h.name, "what a wrap rule holds has no condition");
	if (!p->failed && e->a->kind != EXPR_CELL)
		complain(p, &h.name, "a wrap rule holds a declared global");
	if (!p->failed && !line_ends(p))
		expected(p, "the end of the line");
	r.effects = e;
	if (!p->failed)
		enter(p, &h, &r);
}

static void
parse_cell(Parser *p)
{
	Models *m = p->m;
	Cell c = {.thread = at(p, "thread")};
	Tok name;
	u32 old;

	next(p);
	name = p->t;
	next(p);
	c.size = (u64)number(p, "its size in bytes");
	c.pretty = arena_dup(m->arena, name.text, name.len);
	if (!p->failed && p->t.kind == TOK_STRING) {
		c.pretty = arena_dup(m->arena, p->t.text, p->t.len);
		next(p);
	}
	if (!p->failed && !line_ends(p))
		expected(p, "what it is, in quotes, or the end of the line");
	c.name = intern_bytes(&m->names, name.text, name.len);
	old = map_get(&m->cell_of, c.name);
	if (old && (m->cells.at[old].size != c.size || m->cells.at[old].thread != c.thread))
		complain(p, &name, arena_printf(m->arena, "'%.*s' is already declared differently",
		                                (int)name.len, name.text));
	if (p->failed || old)
		return;
	map_put(m->arena, &m->cell_of, c.name, m->cells.n);
	vec_push(m->arena, &m->cells, c);
}

/* A keyword only if a name follows: functions may be called `global`. */
static bool
keyword(Parser *p, const char *word)
{
	Lex ahead = p->lex;

	return at(p, word) && (lex_next(&ahead).kind == TOK_NAME);
}

/* Goes to the start of the next line that begins something new. */
static void
skip_rule(Parser *p)
{
	while (p->t.kind != TOK_END) {
		bool line = p->t.kind == TOK_LINE;
		next(p);
		if (line && p->t.kind != TOK_INDENT)
			return;
	}
}

/* Cells are read before all else, so that rules may stand in any order. */
static void
parse_cells(Parser *p)
{
	while (p->t.kind != TOK_END && p->errors < MAX_ERRORS) {
		p->failed = false;
		if (keyword(p, "global") || keyword(p, "thread"))
			parse_cell(p);
		skip_rule(p);
	}
}

static void
parse_line(Parser *p)
{
	p->nparam = p->depth = 0;
	p->variadic = p->failed = p->result = false;
	if (p->t.kind == TOK_INDENT)
		complain(p, &p->t, "an indented line that belongs to no rule");
	else if (keyword(p, "global") || keyword(p, "thread"))
		p->failed = true; /* read, and told of, before */
	else if (keyword(p, "wrap"))
		parse_wrap(p);
	else
		parse_rule(p);
	if (p->failed)
		skip_rule(p);
	else if (p->t.kind == TOK_LINE)
		next(p);
}

bool
parse_models(Models *m, const char *file, const char *text, size_t n, Diag *diag)
{
	Parser *p = arena_new(m->arena, Parser);

	p->m = m;
	p->diag = diag;
	p->file = arena_strdup(m->arena, file);
	lex_init(&p->lex, text, n);
	next(p);
	parse_cells(p);
	lex_init(&p->lex, text, n);
	next(p);
	while (p->t.kind != TOK_END) {
		parse_line(p);
		if (p->errors >= MAX_ERRORS) {
			diag_error(diag, file, "too many mistakes: the rest is not read");
			return false;
		}
	}
	return !p->errors;
}
