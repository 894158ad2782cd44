/* statement.c - see statement.h.
 *
 * This is no parser: it knows brackets, the ends of statements, and the words
 * that stand before one.  What it takes for a statement may be less or more, but
 * is the same wherever lines are broken and indented. */
#include "race/statement.h"

#include <string.h>

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || (unsigned char)c >= 0x80;
}

/* How many bytes of a comment start at p; 0: none does. */
static u32
comment(const char *p, const char *end)
{
	const char *q;

	if (end - p < 2 || p[0] != '/' || (p[1] != '/' && p[1] != '*'))
		return 0;
	if (p[1] == '*') {
		q = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
		return (u32)(q ? q + 2 - p : end - p);
	}
	q = memchr(p, '\n', (size_t)(end - p));
	return (u32)(q ? q - p : end - p);
}

/* The bytes of the constant in quotes that starts at p, which ends with its line. */
static u32
constant(const char *p, const char *end)
{
	for (const char *q = p + 1; q < end && *q != '\n'; q++) {
		if (*q == *p)
			return (u32)(q + 1 - p);
		q += *q == '\\' && q + 1 < end && q[1] != '\n';
	}
	return 1;
}

static u32
length(const char *p, const char *end)
{
	const char *q = p;

	if (*p == '"' || *p == '\'')
		return constant(p, end);
	while (q < end && is_word(*q))
		q++;
	return q > p ? (u32)(q - p) : 1;
}

/* The rest of a line that is for the preprocessor, with those that go on from it. */
static u32
directive(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && (*q != '\n' || q[-1] == '\\'))
		q++;
	return (u32)(q - p);
}

static void
tokenize(Arena *a, Tokens *out, const char *text, u32 n)
{
	const char *end = text + n;
	bool first = true; /* on its line */
	u32 step;

	out->n = 0;
	for (const char *p = text; p < end; p += step) {
		step = comment(p, end);
		if (!step && is_blank(*p)) {
			first |= *p == '\n';
			step = 1;
		} else if (!step && *p == '#' && first) {
			step = directive(p, end);
		} else if (!step) {
			step = length(p, end);
			vec_push(a, out, (Token){p, step});
			first = false;
		}
	}
}

static bool
is(const Token *t, const char *text)
{
	return strlen(text) == t->n && !memcmp(t->at, text, t->n);
}

static bool
is_one_of(const Token *t, const char *const *words, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (is(t, words[i]))
			return true;
	return false;
}

/* 1 for an opening bracket within a statement, -1 for a closing one. */
static i32
bracket(const Token *t)
{
	return *t->at == '(' || *t->at == '[' ? 1 : *t->at == ')' || *t->at == ']' ? -1 : 0;
}

static bool
ends(const Token *t)
{
	return *t->at == ';' || *t->at == '{' || *t->at == '}';
}

LineEnd
statement_line(const char *line, u32 n)
{
	LineEnd e = {0};
	char last = 0;
	u32 step;

	for (u32 i = 0; i < n; i += step) {
		Token t = {line + i, 1};
		i32 b = bracket(&t);

		step = comment(line + i, line + n);
		if (step || is_blank(line[i])) {
			step = MAX(step, 1);
			continue;
		}
		if (!last && line[i] == '#')
			return (LineEnd){.block = true};
		e.opened += b > 0;
		if (b < 0 && e.opened)
			e.opened--;
		else
			e.closed += b < 0;
		step = length(line + i, line + n);
		last = line[i];
	}
	e.block = last == '{' || last == '}';
	e.semicolon = last == ';';
	return e;
}

/* The bracket that closes the one at i; the number of tokens if none does. */
static u32
closing(const Tokens *ts, u32 i)
{
	i32 depth = 0;

	for (; i < ts->n; i++) {
		depth += bracket(&ts->at[i]);
		if (!depth)
			break;
	}
	return i;
}

/* What is behind the label, or the word or head of a statement that another one is under, at i;
 * i if there is none. */
static u32
behind_head(const Tokens *ts, u32 i)
{
	static const char *const heads[] = {"if",     "while",        "for",
					    "switch", "synchronized", "catch"};
	static const char *const words[] = {"else", "do", "try", "finally"};
	const Token *t = &ts->at[i];
	u32 k = i + 1;

	if (is_one_of(t, words, COUNT(words)))
		return k;
	if (k < ts->n && is_one_of(t, heads, COUNT(heads)) && *ts->at[k].at == '(')
		return closing(ts, k) + 1;
	if (is(t, "case"))
		while (k < ts->n && *ts->at[k].at != ':' && !ends(&ts->at[k]))
			k++;
	if (k < ts->n && is_word(*t->at) && *ts->at[k].at == ':' &&
	    (k + 1 == ts->n || *ts->at[k + 1].at != ':'))
		return k + 1;
	return i;
}

/* Where the statement of token i begins: behind the end of one in the same block, unless that is
 * within brackets. */
static u32
beginning(const Tokens *ts, u32 i)
{
	enum { DEEPEST = 32 };
	struct {
		u32 begin;
		i32 depth;
	} outer[DEEPEST], now = {0, 0};
	u32 blocks = 0;

	for (u32 k = 0; k < i; k++) {
		char c = *ts->at[k].at;

		now.depth = MAX(now.depth + bracket(&ts->at[k]), 0);
		if (c == '{' && blocks < DEEPEST) {
			outer[blocks++] = now;
			now.depth = 0;
		} else if (c == '}' && blocks) {
			now = outer[--blocks];
		}
		if (!now.depth && ends(&ts->at[k]))
			now.begin = k + 1;
	}
	return now.begin;
}

/* Behind its last token: the first end from last on. */
static u32
ending(const Tokens *ts, u32 begin, u32 last)
{
	i32 depth = 0;

	for (u32 k = begin; k < ts->n; k++) {
		bool semicolon = *ts->at[k].at == ';';

		depth += bracket(&ts->at[k]);
		if (k >= last && ends(&ts->at[k]) && (!semicolon || depth <= 0))
			return k == begin || semicolon ? k + 1 : k;
	}
	return ts->n;
}

static const char *
spell(Arena *a, const Tokens *ts, u32 begin, u32 end)
{
	size_t n = 0;
	char *out;

	for (u32 i = begin; i < end; i++)
		n += ts->at[i].n + 1;
	out = arena_alloc(a, n + 1);
	n = 0;
	for (u32 i = begin; i < end; i++) {
		const Token *t = &ts->at[i];

		if (n && is_word(out[n - 1]) && is_word(*t->at))
			out[n++] = ' ';
		memcpy(out + n, t->at, t->n);
		n += t->n;
	}
	out[n] = 0;
	return out;
}

const char *
statement_text(Arena *a, Tokens *tokens, const char *text, u32 n, const char *from,
	       const char *last)
{
	u32 first = 0, final = 0, begin, next;

	tokenize(a, tokens, text, n);
	if (!tokens->n)
		return "";
	while (first + 1 < tokens->n && tokens->at[first].at + tokens->at[first].n <= from)
		first++;
	for (final = first; final + 1 < tokens->n && tokens->at[final + 1].at <= last;)
		final++;
	begin = beginning(tokens, first);
	while (begin < first && (next = behind_head(tokens, begin)) != begin) {
		if (next > final) /* it is in the head */
			return spell(a, tokens, begin, MIN(next, tokens->n));
		if (next > first)
			break;
		begin = next;
	}
	return spell(a, tokens, begin, ending(tokens, begin, final));
}
