/* lex.c - splits the text form into tokens, all at once.
 *
 * The parser looks ahead freely (labels and registers are numbered before a
 * body is read), so an array of tokens is simplest.  Every step consumes at
 * least one byte, so it ends. */
#include "ir/lex.h"

#include <ctype.h>
#include <string.h>

typedef struct Lexer {
	Arena *arena;
	const char *file;
	const char *at, *end;
	const char *line_start;
	u32 line;
	bool fresh; /* no token on this line yet */
	bool failed;
	Diag *diag;
} Lexer;

static void
fail(Lexer *l, const char *what)
{
	if (!l->failed)
		diag_at(l->diag, DIAG_ERROR, l->file, l->line, (u32)(l->at - l->line_start) + 1,
			"%s", what);
	l->failed = true;
	l->at = l->end;
}

static int
peek(const Lexer *l, size_t k)
{
	return (size_t)(l->end - l->at) > k ? (unsigned char)l->at[k] : 0;
}

static void
skip_blank(Lexer *l)
{
	for (; l->at < l->end; l->at++) {
		if (*l->at == ';')
			while (l->at + 1 < l->end && l->at[1] != '\n')
				l->at++;
		else if (*l->at == '\n') {
			l->line++;
			l->line_start = l->at + 1;
			l->fresh = true;
		} else if (*l->at != ' ' && *l->at != '\t' && *l->at != '\r')
			break;
	}
}

static int
hex(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static u64
take_digits(Lexer *l)
{
	u64 base = 10, x = 0;
	int d;

	if (peek(l, 0) == '0' && peek(l, 1) == 'x' && hex(peek(l, 2)) >= 0) {
		base = 16;
		l->at += 2;
	}
	while ((d = hex(peek(l, 0))) >= 0 && (u64)d < base) {
		if (x > (UINT64_MAX - (u64)d) / base) {
			fail(l, "this number does not fit in 64 bits");
			return 0;
		}
		x = x * base + (u64)d;
		l->at++;
	}
	return x;
}

static bool
is_word_char(int c, bool dots)
{
	return isalnum(c) || c == '_' || c == '$' || (dots && c == '.');
}

static void
take_word(Lexer *l, Token *t, bool dots)
{
	t->at = l->at;
	while (is_word_char(peek(l, 0), dots))
		l->at++;
	t->len = (u32)(l->at - t->at);
}

/* A string between quotes; \xx is the byte with that hexadecimal value. */
static void
take_string(Lexer *l, Token *t)
{
	const char *from = ++l->at;
	char *to;

	while (peek(l, 0) != '"' && l->at < l->end && *l->at != '\n')
		l->at++;
	if (peek(l, 0) != '"') {
		fail(l, "this string has no end");
		return;
	}
	t->at = to = arena_alloc(l->arena, (size_t)(l->at - from) + 1);
	for (; from < l->at; from++) {
		if (*from != '\\') {
			*to++ = *from;
			continue;
		}
		if (l->at - from < 3 || hex(from[1]) < 0 || hex(from[2]) < 0) {
			fail(l, "a backslash must be followed by two hexadecimal digits");
			return;
		}
		*to++ = (char)(hex(from[1]) * 16 + hex(from[2]));
		from += 2;
	}
	t->len = (u32)(to - t->at);
	l->at++;
}

static void
take_reg(Lexer *l, Token *t)
{
	t->kind = TOK_REG;
	l->at++;
	if (isdigit(peek(l, 0))) {
		t->num = take_digits(l);
		t->has_num = true;
		return;
	}
	if (peek(l, 0) == '"')
		take_string(l, t);
	else
		take_word(l, t, false);
	if (!t->len)
		fail(l, "a register needs a name or a number after %");
	if (peek(l, 0) == '.' && isdigit(peek(l, 1))) {
		l->at++;
		t->num = take_digits(l);
		t->has_num = true;
	}
}

static void
take_sym(Lexer *l, Token *t)
{
	t->kind = TOK_SYM;
	l->at++;
	if (peek(l, 0) == '"')
		take_string(l, t);
	else
		take_word(l, t, true);
	if (peek(l, 0) == '\'' && (peek(l, 1) == 'f' || peek(l, 1) == 'g') && isdigit(peek(l, 2))) {
		t->table = l->at[1];
		t->has_num = true;
		l->at += 2;
		t->num = take_digits(l);
	} else if (!t->len) {
		fail(l, "a symbol needs a name after @");
	}
}

static void
take(Lexer *l, Token *t)
{
	int c = peek(l, 0);

	if (c == '%') {
		take_reg(l, t);
	} else if (c == '@') {
		take_sym(l, t);
	} else if (c == '"') {
		t->kind = TOK_STR;
		take_string(l, t);
	} else if (isdigit(c) || (c == '-' && isdigit(peek(l, 1)))) {
		t->kind = TOK_INT;
		t->neg = c == '-';
		l->at += t->neg;
		t->num = take_digits(l);
	} else if (is_word_char(c, false)) {
		t->kind = TOK_WORD;
		take_word(l, t, false);
	} else if (c && strchr(".,:=(){}[]!#+*->", c)) {
		t->kind = TOK_PUNCT;
		t->punct = (char)c;
		l->at++;
	} else {
		fail(l, "this character has no meaning here");
	}
}

bool
lex_text(Tokens *out, Arena *a, const char *file, const char *text, size_t n, Diag *diag)
{
	Lexer l = {.arena = a,
		   .file = file,
		   .at = text,
		   .end = text + n,
		   .line_start = text,
		   .line = 1,
		   .fresh = true,
		   .diag = diag};
	Token t;

	do {
		skip_blank(&l);
		t = (Token){
		    .first = l.fresh, .line = l.line, .col = (u32)(l.at - l.line_start) + 1};
		if (l.at < l.end)
			take(&l, &t);
		l.fresh = false;
		vec_push(a, out, t);
	} while (t.kind != TOK_END && !l.failed);
	return !l.failed;
}
