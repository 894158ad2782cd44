/* parse.c - reads model files.
 *
 *	file    = { cell | fact | wrap | rule }
 *	cell    = ("global" | "thread") NAME BYTES ["what it is"]
 *	fact    = "fact" NAME ["assumed" ["unless" "a type" "has" NUMBER "at" BYTES] | "if" "type.member"]
 *	start   = "start" NAME ["then" NAME]
 *	wrap    = "wrap" pattern ":" "hold" ("write" | "read") value ["recursive"]
 *	rule    = ["override" ["static"]] pattern { "," pattern } "(" [ NAME { "," NAME } ] [ "..." ] ")"
 *	          [ ":" effects ] newline { INDENT effects newline }
 *	effects = given { ";" given }
 *	given   = effect ["if" NAME] [("when" | "unless") FACT]
 *	pattern = ["*"] NAME ["*"] | "a Java method with its descriptor"
 *	value   = NAME | NAME.FIELD | "..." | NUMBER | "null" | "any" | "self" | "result" | "(" value ")"
 *	        | "*" value | "into" value ["by" NUMBER] | value "+" (NUMBER ["words"] | "word" | "type.member")
 *	size    = "any" | "string" | "word" | "item" | value { "*" value }
 *
 * Each verb has one function in parse_verb.c, with its grammar above it.  A mistake is
 * told once per rule: the rest of the rule is skipped.  Each step eats a token
 * or fails, and values nest to a bound, so reading ends. */
#include "model/parse_int.h"

#include "base/diag.h"

#include <string.h>

enum { MAX_ERRORS = 20 };

/* ---- rules -------------------------------------------------------------- */

/* The effects of one rule as they are read. */
typedef struct List {
	Effect *first, **last;
	bool ends;
	u32 when; /* the effect that makes the result depends on this fact; 0: always */
	bool unless;
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
		rule_complain(p, where, "an effect behind the one that ends the call");
	if (e->result && p->result && !(e->when && l->when == e->when && l->unless != e->unless))
		rule_complain(p, where, "two effects that make the call's result");
	if (p->rest && (e->result || ends(e)))
		rule_complain(p, where,
			      "'...' in the effect that makes the result or ends the call");
	if (e->verb == VERB_HOLD)
		rule_complain(p, where, "'hold' belongs to a 'wrap' rule");
	p->result |= e->result;
	if (e->result) {
		l->when = e->when;
		l->unless = e->unless;
	}
	l->ends |= ends(e);
	*l->last = e;
	l->last = &e->next;
}

/* "is" ["not"] NUMBER...: a constant, one of these; or not */
static void
given_numbers(Parser *p, Effect *e)
{
	e->is_not = rule_accept(p, "not");
	do {
		if (e->nis == COUNT(e->is)) {
			rule_complain(p, &p->t, "too many numbers");
			return;
		}
		e->is[e->nis++] = rule_number(p, "a number");
	} while (p->t.kind == TOK_NUMBER && !p->failed);
}

/* effect "if" NAME [numbers]: only if that argument is not a constant zero */
static void
given(Parser *p, Effect *e)
{
	e->given = rule_param(p);
	if (!e->given)
		rule_expected(p, "a parameter's name");
	else if (rule_accept(p, "is"))
		given_numbers(p, e);
	if (e->given && (e->result || ends(e)))
		rule_complain(p, &p->t,
			      "'if' behind the effect that makes the result or ends the call");
}

/* effect "when" FACT, "unless" FACT */
static void
given_fact(Parser *p, Effect *e)
{
	e->unless = rule_at(p, "unless");
	rule_next(p);
	e->when = rule_fact(p);
	if ((e->result && (!e->cond || e->cond == SIGN_ANY)) || ends(e))
		rule_complain(p, &p->t,
			      "a fact behind the effect that makes the result or ends the call");
}

static void
effect(Parser *p, List *l)
{
	static const char *const verb_names[] = {
#define X(name, text) text,
	    MODEL_VERBS(X)
#undef X
	};
	Tok where = p->t;
	Effect *e = arena_new(p->m->arena, Effect);

	p->rest = false;
	for (u32 v = 0; v < VERB_COUNT; v++)
		if (rule_accept(p, verb_names[v])) {
			e->verb = (u8)v;
			rule_verb(p, (Verb)v, e);
			if (rule_accept(p, "if"))
				given(p, e);
			if (rule_at(p, "when") || rule_at(p, "unless"))
				given_fact(p, e);
			if (!p->failed)
				add(p, l, e, &where);
			return;
		}
	if (p->t.kind == TOK_NAME)
		rule_complain(
		    p, &p->t,
		    arena_printf(p->m->arena, "'%.*s' is not an effect", (int)p->t.len, p->t.text));
	rule_expected(p, "an effect");
}

static void
effects(Parser *p, List *l)
{
	do
		effect(p, l);
	while (rule_accept(p, ";"));
	if (!p->failed && !rule_line_ends(p))
		rule_expected(p, "';' or the end of the line");
}

typedef struct Head {
	Tok name;
	bool head, tail; /* stars */
} Head;

static bool
head_name(Parser *p, Head *h)
{
	*h = (Head){0};
	h->head = rule_accept(p, "*");
	if (p->failed || (p->t.kind != TOK_NAME && p->t.kind != TOK_STRING)) {
		rule_expected(p, "a function's name");
		return false;
	}
	h->name = p->t;
	rule_next(p);
	if (rule_at(p, "*") && p->t.glued) {
		h->tail = true;
		rule_next(p);
	}
	return true;
}

static void
parameters(Parser *p)
{
	rule_want(p, "(");
	if (rule_accept(p, ")"))
		return;
	do {
		if (p->t.kind == TOK_REST) {
			p->variadic = true;
			rule_next(p);
			break;
		}
		if (p->failed || p->t.kind != TOK_NAME || p->nparam == MAX_PARAMS) {
			rule_expected(p, "a parameter's name or '...'");
			return;
		}
		p->param[p->nparam++] = p->t;
		rule_next(p);
	} while (rule_accept(p, ","));
	rule_want(p, ")");
}

static void
check_twice(Parser *p, const Head *h, const Rule *r)
{
	u32 name = intern_bytes(&p->m->names, h->name.text, h->name.len);

	for (const Rule *q = name < p->m->exact.n ? p->m->exact.at[name] : NULL; q; q = q->next)
		if (q->file == p->file && q->nparam == r->nparam && q->variadic == r->variadic)
			rule_complain(p, &h->name,
				      arena_printf(p->m->arena,
						   "'%.*s' already has a rule in line %u",
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
	if (rule_accept(p, ":"))
		effects(p, l);
	else if (!p->failed && !rule_line_ends(p))
		rule_expected(p, "':' or the end of the line");
	while (!p->failed && p->t.kind == TOK_LINE) {
		rule_next(p);
		if (p->t.kind != TOK_INDENT)
			return;
		rule_next(p);
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

	if (rule_at(p, "override")) {
		Lex save = p->lex;
		rule_next(p);
		r.override = !rule_at(p, "(") && !rule_at(p, ",");
		if (!r.override) {
			p->lex = save;
			p->t = where;
		}
		r.internal = r.override && rule_accept(p, "static");
	}
	do {
		if (!head_name(p, &h))
			return;
		vec_push(p->m->arena, &heads, h);
	} while (rule_accept(p, ","));
	parameters(p);
	body(p, &l);
	if (!p->failed && !l.first)
		rule_complain(p, &where,
			      "a rule without an effect; write 'nothing' if there is none");
	r.nparam = p->nparam;
	r.params = arena_array(p->m->arena, const char *, p->nparam);
	for (u32 i = 0; i < p->nparam; i++)
		r.params[i] = arena_dup(p->m->arena, p->param[i].text, p->param[i].len);
	r.variadic = p->variadic;
	r.effects = l.first;
	r.ends = l.ends;
	r.uses_result = p->uses_result;
	for (const Effect *e = l.first; e; e = e->next)
		r.gives_address |= e->result && (e->verb == VERB_ALLOCATE || e->method);
	for (u32 i = 0; i < heads.n && !p->failed; i++)
		enter(p, &heads.at[i], &r);
}

static void
parse_wrap(Parser *p)
{
	Rule r = {.file = p->file, .wrap = true};
	Effect *e = arena_new(p->m->arena, Effect);
	Head h;

	rule_next(p);
	if (!head_name(p, &h))
		return;
	rule_want(p, ":");
	rule_want(p, "hold");
	e->verb = VERB_HOLD;
	rule_verb(p, VERB_HOLD, e);
	if (!p->failed && (e->try || e->result))
		rule_complain(p, &h.name, "what a wrap rule holds has no condition");
	if (!p->failed && e->a->kind != EXPR_CELL)
		rule_complain(p, &h.name, "a wrap rule holds a declared global");
	if (!p->failed && !rule_line_ends(p))
		rule_expected(p, "the end of the line");
	r.effects = e;
	if (!p->failed)
		enter(p, &h, &r);
}

static void
parse_cell(Parser *p)
{
	Models *m = p->m;
	Cell c = {.thread = rule_at(p, "thread")};
	Tok name;
	u32 old;

	rule_next(p);
	name = p->t;
	rule_next(p);
	c.size = (u64)rule_number(p, "its size in bytes");
	c.pretty = arena_dup(m->arena, name.text, name.len);
	if (!p->failed && p->t.kind == TOK_STRING) {
		c.pretty = arena_dup(m->arena, p->t.text, p->t.len);
		rule_next(p);
	}
	if (!p->failed && !rule_line_ends(p))
		rule_expected(p, "what it is, in quotes, or the end of the line");
	c.name = intern_bytes(&m->names, name.text, name.len);
	old = map_get(&m->cell_of, c.name);
	if (old && (m->cells.at[old].size != c.size || m->cells.at[old].thread != c.thread))
		rule_complain(p, &name,
			      arena_printf(m->arena, "'%.*s' is already declared differently",
					   (int)name.len, name.text));
	if (p->failed || old)
		return;
	map_put(m->arena, &m->cell_of, c.name, m->cells.n);
	vec_push(m->arena, &m->cells, c);
}

/* "a type" "has" NUMBER "at" BYTES */
static void
parse_initial(Parser *p, Initial *out)
{
	if (p->t.kind != TOK_STRING) {
		rule_expected(p, "the name of a type, in quotes");
		return;
	}
	out->type = arena_dup(p->m->arena, p->t.text, p->t.len);
	rule_next(p);
	if (!rule_accept(p, "has"))
		rule_expected(p, "'has'");
	else
		out->number = rule_number(p, "a number");
	if (p->failed)
		return;
	if (!rule_accept(p, "at"))
		rule_expected(p, "'at'");
	else
		out->off = (u64)rule_number(p, "an offset in bytes");
}

static void
parse_fact(Parser *p)
{
	Models *m = p->m;
	Initial unless = {0};
	Layout layout = {0};
	u32 name;
	bool assumed;

	rule_next(p);
	name = intern_bytes(&m->names, p->t.text, p->t.len);
	rule_next(p);
	assumed = rule_accept(p, "assumed");
	if (assumed && rule_accept(p, "unless"))
		parse_initial(p, &unless);
	else if (!assumed && rule_accept(p, "if"))
		layout.part = rule_part(p);
	if (p->failed)
		return;
	if (!rule_line_ends(p))
		rule_expected(p, "the end of the line");
	else if (!map_get(&m->fact_of, name)) {
		map_put(m->arena, &m->fact_of, name, ++m->nfact);
		if (assumed)
			set_add(m->arena, &m->assumed, m->nfact);
		unless.fact = layout.fact = m->nfact;
		if (layout.part)
			vec_push(m->arena, &m->layouts, layout);
		if (unless.type)
			vec_push(m->arena, &m->initials, unless);
	}
}

/* plain NAME, value NAME, safe NAME */
static void
parse_plain(Parser *p)
{
	Plain x = {.value = rule_at(p, "value"), .safe = rule_at(p, "safe")};

	rule_next(p);
	x.class = arena_dup(p->m->arena, p->t.text, p->t.len);
	rule_next(p);
	if (!rule_line_ends(p))
		rule_expected(p, "the end of the line");
	else
		vec_push(p->m->arena, &p->m->plain, x);
}

/* start NAME ["then" NAME]: how a program without a main begins and ends */
static void
parse_start(Parser *p)
{
	Start x = {0};

	rule_next(p);
	x.first = arena_dup(p->m->arena, p->t.text, p->t.len);
	rule_next(p);
	if (rule_accept(p, "then")) {
		x.then = arena_dup(p->m->arena, p->t.text, p->t.len);
		if (p->t.kind != TOK_NAME)
			rule_expected(p, "a function's name");
		else
			rule_next(p);
	}
	if (!rule_line_ends(p))
		rule_expected(p, "the end of the line");
	if (!p->failed)
		vec_push(p->m->arena, &p->m->starts, x);
}

/* A keyword only if a name follows: functions may be called `global`. */
static bool
keyword(Parser *p, const char *word)
{
	Lex ahead = p->lex;

	return rule_at(p, word) && (lex_next(&ahead).kind == TOK_NAME);
}

/* Goes to the start of the next line that begins something new. */
static void
skip_rule(Parser *p)
{
	while (p->t.kind != TOK_END) {
		bool line = p->t.kind == TOK_LINE;
		rule_next(p);
		if (line && p->t.kind != TOK_INDENT)
			return;
	}
}

/* Cells and facts are read before all else, so that rules may stand in any order. */
static void
parse_names(Parser *p)
{
	while (p->t.kind != TOK_END && p->errors < MAX_ERRORS) {
		p->failed = false;
		if (keyword(p, "global") || keyword(p, "thread"))
			parse_cell(p);
		else if (keyword(p, "fact"))
			parse_fact(p);
		skip_rule(p);
	}
}

static void
parse_line(Parser *p)
{
	p->nparam = p->depth = 0;
	p->variadic = p->failed = p->result = p->uses_result = false;
	if (p->t.kind == TOK_INDENT)
		rule_complain(p, &p->t, "an indented line that belongs to no rule");
	else if (keyword(p, "global") || keyword(p, "thread") || keyword(p, "fact"))
		p->failed = true; /* read, and told of, before */
	else if (keyword(p, "wrap"))
		parse_wrap(p);
	else if (keyword(p, "start"))
		parse_start(p);
	else if (keyword(p, "plain") || keyword(p, "value") || keyword(p, "safe"))
		parse_plain(p);
	else
		parse_rule(p);
	if (p->failed)
		skip_rule(p);
	else if (p->t.kind == TOK_LINE)
		rule_next(p);
}

bool
parse_models(Models *m, const char *file, const char *text, size_t n, Diag *diag)
{
	Parser *p = arena_new(m->arena, Parser);

	p->m = m;
	p->diag = diag;
	p->file = arena_strdup(m->arena, file);
	lex_init(&p->lex, text, n);
	rule_next(p);
	parse_names(p);
	lex_init(&p->lex, text, n);
	rule_next(p);
	while (p->t.kind != TOK_END) {
		parse_line(p);
		if (p->errors >= MAX_ERRORS) {
			diag_error(diag, file, "too many mistakes: the rest is not read");
			return false;
		}
	}
	return !p->errors;
}
