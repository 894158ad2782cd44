/* parse_value.c - tokens with complaints, and the values of effects.
 *
 * Each function does nothing once the rule has failed, so that the grammar
 * reads straight on; values nest to a bound. */
#include "model/parse_int.h"

#include "base/diag.h"

#include <string.h>

enum { MAX_NESTING = 8 };

/* ---- tokens ------------------------------------------------------------- */

void
rule_next(Parser *p)
{
	p->t = lex_next(&p->lex);
}

static const char *
describe(Parser *p)
{
	switch (p->t.kind) {
	case TOK_END: return "the end of the file";
	case TOK_LINE:
	case TOK_INDENT: return "the end of the line";
	case TOK_STRING: return "a string";
	case TOK_BAD:
		if (*p->t.text == '"')
			return "a string without its closing '\"'";
		if ((unsigned char)*p->t.text < ' ' || (unsigned char)*p->t.text > '~')
			return arena_printf(p->m->arena, "byte 0x%02x", (unsigned char)*p->t.text);
		break;
	default: break;
	}
	return arena_printf(p->m->arena, "'%.*s'", (int)p->t.len, p->t.text);
}

void
rule_complain(Parser *p, const Tok *at, const char *what)
{
	if (p->failed)
		return;
	p->failed = true;
	p->errors++;
	diag_at(p->diag, DIAG_ERROR, p->file, at->line, at->col, "%s", what);
}

void
rule_expected(Parser *p, const char *what)
{
	rule_complain(p, &p->t,
		      arena_printf(p->m->arena, "expected %s, found %s", what, describe(p)));
}

static bool
tok_is(const Tok *t, const char *word)
{
	return t->len && *t->text == *word && (t->kind == TOK_NAME || t->kind == TOK_PUNCT) &&
	       t->len == strlen(word) && !memcmp(t->text, word, t->len);
}

bool
rule_at(const Parser *p, const char *word)
{
	return !p->failed && tok_is(&p->t, word);
}

bool
rule_accept(Parser *p, const char *word)
{
	if (!rule_at(p, word))
		return false;
	rule_next(p);
	return true;
}

void
rule_want(Parser *p, const char *word)
{
	if (!p->failed && !rule_accept(p, word))
		rule_expected(p, arena_printf(p->m->arena, "'%s'", word));
}

bool
rule_line_ends(const Parser *p)
{
	return p->t.kind == TOK_LINE || p->t.kind == TOK_END;
}

i64
rule_number(Parser *p, const char *what)
{
	i64 num = p->t.num;

	if (p->failed)
		return 0;
	if (p->t.kind != TOK_NUMBER) {
		rule_expected(p, what);
		return 0;
	}
	rule_next(p);
	return num;
}

/* One of n words, by its index; -1 after a complaint that lists them. */
int
rule_choose(Parser *p, const char *const *words, u32 n)
{
	const char *list = "";

	if (p->failed)
		return -1;
	for (u32 i = 0; i < n; i++) {
		if (rule_accept(p, words[i]))
			return (int)i;
		list = arena_printf(p->m->arena, "%s%s'%s'", list,
				    !i           ? ""
				    : i + 1 == n ? " or "
						 : ", ",
				    words[i]);
	}
	rule_expected(p, list);
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

const Expr *
rule_param(Parser *p)
{
	for (u32 i = 0; i < p->nparam && !p->failed && p->t.kind == TOK_NAME; i++)
		if (p->param[i].len == p->t.len && !memcmp(p->param[i].text, p->t.text, p->t.len)) {
			rule_next(p);
			return make(p, EXPR_PARAM, i, NULL);
		}
	return NULL;
}

/* PARAMETER.FIELD or result.FIELD: a field of the library's own in that object */
static const Expr *
member(Parser *p)
{
	const char *dot = p->t.kind == TOK_NAME ? memchr(p->t.text, '.', p->t.len) : NULL;
	Parser before = *p;
	const Expr *of;
	u32 len;

	if (!dot || dot == p->t.text || dot + 1 == p->t.text + p->t.len)
		return NULL;
	len = (u32)(dot - p->t.text);
	p->t.len = len;
	of = rule_param(p);
	if (!of && tok_is(&p->t, "result") && p->result) {
		p->uses_result = true;
		rule_next(p);
		of = make(p, EXPR_RESULT, 0, NULL);
	}
	if (!of) {
		*p = before;
		return NULL;
	}
	return make(p, EXPR_MEMBER, intern_bytes(&p->m->names, dot + 1, before.t.len - len - 1),
		    of);
}

static const Expr *
named(Parser *p)
{
	const Expr *e = rule_param(p);
	Tok t = p->t;
	u32 name, cell;

	if (!e)
		e = member(p);
	if (e)
		return e;
	rule_next(p);
	if (tok_is(&t, "null"))
		return make(p, EXPR_NULL, 0, NULL);
	if (tok_is(&t, "any"))
		return make(p, EXPR_ANY, 0, NULL);
	if (tok_is(&t, "self"))
		return make(p, EXPR_SELF, 0, NULL);
	if (tok_is(&t, "result")) {
		if (!p->result)
			rule_complain(p, &t, "'result' before the effect that makes it");
		p->uses_result = true;
		return make(p, EXPR_RESULT, 0, NULL);
	}
	name = intern_find(&p->m->names, t.text, t.len);
	cell = name ? map_get(&p->m->cell_of, name) : 0;
	if (cell)
		return make(p, EXPR_CELL, cell, NULL);
	rule_complain(p, &t,
		      arena_printf(p->m->arena,
				   "'%.*s' is neither a parameter nor a declared global",
				   (int)t.len, t.text));
	return NULL;
}

u32
rule_fact(Parser *p)
{
	u32 name, fact = 0;

	if (p->failed)
		return 0;
	if (p->t.kind == TOK_NAME) {
		name = intern_find(&p->m->names, p->t.text, p->t.len);
		fact = name ? map_get(&p->m->fact_of, name) : 0;
	}
	if (fact)
		rule_next(p);
	else
		rule_expected(p, "a declared fact");
	return fact;
}

u32
rule_part(Parser *p)
{
	Tok t = p->t;

	if (p->failed)
		return 0;
	if (t.kind != TOK_STRING || !memchr(t.text, '.', t.len)) {
		rule_expected(p, "\"a type.a member\"");
		return 0;
	}
	rule_next(p);
	return intern_bytes(&p->m->names, t.text, t.len);
}

static const Expr *primary(Parser *p);

static bool
deepen(Parser *p)
{
	if (++p->depth > MAX_NESTING)
		rule_complain(p, &p->t, "a value nested too deeply");
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

	if (rule_accept(p, "*"))
		return make(p, EXPR_DEREF, 0, starred(p));
	if (rule_accept(p, "(")) {
		e = rule_value(p);
		rule_want(p, ")");
		return e;
	}
	if (p->t.kind == TOK_REST) {
		if (!p->variadic)
			rule_complain(p, &p->t, "'...' in an effect of a function without '...'");
		rule_next(p);
		p->rest = true;
		return make(p, EXPR_REST, 0, NULL);
	}
	if (p->t.kind == TOK_NUMBER)
		return make(p, EXPR_NUM, rule_number(p, "a number"), NULL);
	if (p->t.kind == TOK_NAME)
		return named(p);
	rule_expected(p, "a value");
	return NULL;
}

/* "+" (NUMBER ["words"] | "word" | "type.member"), behind the sign */
static const Expr *
behind(Parser *p, const Expr *of)
{
	i64 n;

	if (!p->failed && p->t.kind == TOK_STRING)
		return make(p, EXPR_PART, rule_part(p), of);
	if (rule_accept(p, "word"))
		return make(p, EXPR_WORDS, 1, of);
	n = rule_number(p, "a number of bytes behind '+'");
	return make(p, rule_accept(p, "words") ? EXPR_WORDS : EXPR_PLUS, n, of);
}

/* "into" value ["by" NUMBER], behind the first */
static const Expr *
into(Parser *p)
{
	const Expr *of = rule_value(p);
	i64 stride = rule_accept(p, "by") ? rule_number(p, "a number of bytes behind 'by'") : 1;

	return make(p, EXPR_INTO, stride ? stride : 1, of);
}

const Expr *
rule_value(Parser *p)
{
	const Expr *e = NULL;

	if (p->failed)
		return NULL;
	if (deepen(p)) {
		if (rule_accept(p, "into"))
			e = into(p);
		else
			e = primary(p);
	}
	p->depth--;
	while (rule_accept(p, "+"))
		e = behind(p, e);
	return e;
}

Size
rule_size(Parser *p)
{
	Size s = {.kind = SIZE_PRODUCT};

	if (rule_accept(p, "string"))
		return (Size){.kind = SIZE_STRING};
	if (rule_accept(p, "any"))
		return (Size){.kind = SIZE_ANY};
	if (rule_accept(p, "word"))
		return (Size){.kind = SIZE_WORD};
	if (rule_accept(p, "item"))
		return (Size){.kind = SIZE_ITEM};
	do {
		if (s.nfactor == SIZE_FACTORS) {
			rule_complain(p, &p->t, "a product of more than three factors");
			break;
		}
		if (!p->failed && p->t.kind != TOK_NAME && p->t.kind != TOK_NUMBER)
			rule_expected(p, "a number of bytes, 'any', 'string', 'word' or 'item'");
		s.factor[s.nfactor++] = rule_value(p);
	} while (rule_accept(p, "*"));
	return s;
}

void
rule_arguments(Parser *p, Effect *e)
{
	Vec(const Expr *) v = {0};

	rule_want(p, "(");
	if (!rule_accept(p, ")")) {
		do
			vec_push(p->m->arena, &v, rule_value(p));
		while (rule_accept(p, ","));
		rule_want(p, ")");
	}
	e->args = v.at;
	e->narg = v.n;
}

/* order = "order" ("relaxed" | "acquire" | "release" | "acq_rel" | "seq_cst" | NAME) */
void
rule_order(Parser *p, Effect *e)
{
	static const char *const words[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};

	rule_want(p, "order");
	e->order_arg = rule_param(p);
	if (!e->order_arg)
		e->order = (u8)(ORDER_RELAXED + rule_choose(p, words, COUNT(words)));
}

/* on = "on" SIGNS ["if" "checked"] */
void
rule_condition(Parser *p, Effect *e)
{
	static const char *const words[] = {"zero",     "nonzero",  "null",        "nonnull",
					    "negative", "positive", "nonnegative", "nonpositive"};
	static const u8 signs[] = {
	    SIGN_ZERO, SIGN_NONZERO,         SIGN_ZERO,           SIGN_NONZERO, SIGN_NEG,
	    SIGN_POS,  SIGN_ZERO | SIGN_POS, SIGN_ZERO | SIGN_NEG};
	int k;

	e->cond = SIGN_ANY;
	if (!rule_accept(p, "on"))
		return;
	k = rule_choose(p, words, COUNT(words));
	if (k < 0)
		return;
	e->cond = signs[k];
	e->result = true;
	if (rule_accept(p, "if")) {
		rule_want(p, "checked");
		e->checked = true;
	}
}

void
rule_bits(Parser *p, Effect *e)
{
	if (rule_accept(p, "width")) {
		i64 n = rule_number(p, "a width in bits");
		if (n < 8 || n > 512)
			rule_complain(p, &p->t, "a width is between 8 and 512 bits");
		e->width = (u16)n;
	}
}
