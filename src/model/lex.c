/* lex.c - the tokens of model files.
 *
 * Every call of lex_next moves forward by at least one byte until the end, so
 * a reader that calls it until TOK_END comes to its end on any bytes.
 *
 * What a byte may be is looked up: the shipped models are read at every start, a good part of the
 * time that a small program takes. */
#include "model/lex.h"

#include <string.h>

enum { BLANK = 1, DIGIT = 2, WORDLY = 4, MARK = 8 };

static const u8 class[256] = {
    [' '] = BLANK,          ['\t'] = BLANK,         ['\r'] = BLANK, ['0' ... '9'] = DIGIT | WORDLY,
    ['a' ... 'z'] = WORDLY, ['A' ... 'Z'] = WORDLY, ['_'] = WORDLY, ['.'] = WORDLY,
    ['$'] = WORDLY,         ['<'] = WORDLY,         ['>'] = WORDLY, ['('] = MARK,
    [')'] = MARK,           [','] = MARK,           [':'] = MARK,   [';'] = MARK,
    ['*'] = MARK,           ['+'] = MARK,
};

void
lex_init(Lex *l, const char *text, size_t n)
{
	*l = (Lex){text, text + n, text, 1};
}

static bool
is(char c, u8 what)
{
	return class[(u8)c] & what;
}

/* Moves behind white space and a comment; says whether it moved. */
static bool
skip(Lex *l)
{
	const char *from = l->at, *end;

	while (l->at < l->end && is(*l->at, BLANK))
		l->at++;
	if (l->at < l->end && *l->at == '#') {
		end = memchr(l->at, '\n', (size_t)(l->end - l->at));
		l->at = end ? end : l->end;
	}
	return l->at != from;
}

static void
newline(Lex *l)
{
	l->bol = ++l->at;
	l->line++;
}

static Tok
make(const Lex *l, TokKind kind, const char *from)
{
	return (Tok){.kind = kind,
		     .text = from,
		     .len = (u32)(l->at - from),
		     .line = l->line,
		     .col = (u32)(from - l->bol) + 1};
}

static Tok
number(Lex *l)
{
	const char *from = l->at;
	i64 num = 0;
	Tok t;

	while (l->at < l->end && is(*l->at, DIGIT)) {
		if (num < INT32_MAX)
			num = num * 10 + (*l->at - '0');
		l->at++;
	}
	t = make(l, TOK_NUMBER, from);
	t.num = num;
	return t;
}

static Tok
string(Lex *l)
{
	const char *from = l->at++;
	Tok t;

	while (l->at < l->end && *l->at != '"' && *l->at != '\n')
		l->at++;
	if (l->at == l->end || *l->at == '\n')
		return make(l, TOK_BAD, from);
	l->at++;
	t = make(l, TOK_STRING, from);
	t.text++;
	t.len -= 2;
	return t;
}

static Tok
word(Lex *l)
{
	const char *from = l->at;

	if (l->end - l->at >= 3 && !memcmp(l->at, "...", 3)) {
		l->at += 3;
		return make(l, TOK_REST, from);
	}
	if (is(*l->at, DIGIT))
		return number(l);
	while (l->at < l->end && is(*l->at, WORDLY))
		l->at++;
	return make(l, TOK_NAME, from);
}

/* At the start of a line: skips empty ones; is the first full one indented? */
static bool
indented(Lex *l)
{
	bool moved;

	for (;;) {
		moved = skip(l);
		if (l->at == l->end)
			return false;
		if (*l->at != '\n')
			return moved;
		newline(l);
	}
}

Tok
lex_next(Lex *l)
{
	bool glued = true;
	Tok t;

	if (l->at == l->bol) {
		if (indented(l))
			return make(l, TOK_INDENT, l->at);
		glued = false;
	}
	if (skip(l))
		glued = false;
	if (l->at == l->end)
		return make(l, TOK_END, l->at);
	if (*l->at == '\n') {
		t = make(l, TOK_LINE, l->at);
		newline(l);
		return t;
	}
	if (is(*l->at, WORDLY)) {
		t = word(l);
	} else if (*l->at == '"') {
		t = string(l);
	} else {
		bool known = is(*l->at, MARK);
		l->at++;
		t = make(l, known ? TOK_PUNCT : TOK_BAD, l->at - 1);
		if (*t.text == ',')
			while (skip(l), l->at < l->end && *l->at == '\n')
				newline(l);
	}
	t.glued = glued;
	return t;
}
