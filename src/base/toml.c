/* toml.c - see toml.h.  Recursive descent over one text; the first error is
 * kept and ends it.  Arrays nest at most DEPTH deep. */
#include "toml.h"

#include "file.h"

#include <string.h>

enum { DEPTH = 32 };

typedef struct Parser {
	Arena *arena;
	const char *at, *end;
	u32 line, depth;
	const char *table;
	Toml *out;
	const char *error;
} Parser;

static bool
fail(Parser *p, const char *what)
{
	if (!p->error)
		p->error = what;
	return false;
}

static char
peek(const Parser *p)
{
	return p->at < p->end ? *p->at : 0;
}

static bool
take(Parser *p, char c)
{
	if (p->at == p->end || *p->at != c)
		return false;
	p->at++;
	return true;
}

static void
skip_blanks(Parser *p)
{
	while (peek(p) == ' ' || peek(p) == '\t')
		p->at++;
}

static void
skip_comment(Parser *p)
{
	if (peek(p) == '#')
		while (p->at < p->end && *p->at != '\n')
			p->at++;
}

/* Blanks, comments and ends of lines. */
static void
skip_lines(Parser *p)
{
	for (;;) {
		skip_blanks(p);
		skip_comment(p);
		take(p, '\r');
		if (!take(p, '\n'))
			return;
		p->line++;
	}
}

static bool
end_line(Parser *p)
{
	skip_blanks(p);
	skip_comment(p);
	take(p, '\r');
	if (p->at < p->end && *p->at != '\n')
		return fail(p, "there is more on this line than a key and its value");
	return true;
}

static bool
is_bare(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_';
}

static bool
escape(Parser *p, char **to)
{
	static const char from[] = "\"\\bfnrt", as[] = "\"\\\b\f\n\r\t";
	char c = peek(p);
	const char *at = c ? strchr(from, c) : NULL;

	if (!at)
		return fail(p,
			    "unknown escape in a string; \\\" \\\\ \\b \\f \\n \\r \\t are known");
	*(*to)++ = as[at - from];
	p->at++;
	return true;
}

/* A string in quotes q. */
static bool
string(Parser *p, char q, const char **out)
{
	char *text, *to;

	if (p->end - p->at >= 3 && p->at[1] == q && p->at[2] == q)
		return fail(p, "strings of several lines are not supported");
	p->at++;
	text = to = arena_alloc(p->arena, (size_t)(p->end - p->at) + 1);
	while (peek(p) != q || p->at == p->end) {
		if (p->at == p->end || *p->at == '\n')
			return fail(p, "a string without its end");
		if ((unsigned char)*p->at < 0x20 && *p->at != '\t')
			return fail(p, "a control character in a string");
		if (q == '"' && take(p, '\\')) {
			if (!escape(p, &to))
				return false;
			continue;
		}
		*to++ = *p->at++;
	}
	p->at++;
	*out = text;
	return true;
}

static bool
key(Parser *p, const char **out)
{
	const char *from = p->at;

	if (peek(p) == '"' || peek(p) == '\'')
		return string(p, peek(p), out);
	while (is_bare(peek(p)))
		p->at++;
	if (p->at == from)
		return fail(p, "expected a key");
	*out = arena_dup(p->arena, from, (size_t)(p->at - from));
	return true;
}

static bool
integer(Parser *p, TomlVal *v)
{
	bool minus = take(p, '-');
	u32 digits = 0;
	u64 x = 0;

	if (!minus)
		take(p, '+');
	for (; (peek(p) >= '0' && peek(p) <= '9') || (digits && peek(p) == '_'); p->at++) {
		if (*p->at == '_')
			continue;
		if (x > (u64)(INT64_MAX - 9) / 10)
			return fail(p, "a number that is too large");
		x = x * 10 + (u64)(*p->at - '0');
		digits++;
	}
	if (!digits || p->at[-1] == '_')
		return fail(p, "expected a string, a number, true, false or an array");
	if (is_bare(peek(p)) || peek(p) == '.' || peek(p) == ':')
		return fail(p, "dates, times and numbers that are not whole are not supported");
	v->kind = TOML_INT;
	v->integer = minus ? -(i64)x : (i64)x;
	return true;
}

static bool value(Parser *p, TomlVal *v);

static bool
array(Parser *p, TomlVal *v)
{
	Vec(TomlVal) items = {0};

	if (++p->depth > DEPTH)
		return fail(p, "arrays within too many others");
	p->at++;
	for (;;) {
		TomlVal item = {0};

		skip_lines(p);
		if (take(p, ']'))
			break;
		if (!value(p, &item))
			return false;
		vec_push(p->arena, &items, item);
		skip_lines(p);
		if (!take(p, ',') && peek(p) != ']')
			return fail(p, "expected , or ] in an array");
	}
	p->depth--;
	*v = (TomlVal){.kind = TOML_ARR, .items = items.at, .n = items.n};
	return true;
}

static bool
word(Parser *p, const char *text)
{
	size_t n = strlen(text);

	if ((size_t)(p->end - p->at) < n || memcmp(p->at, text, n) != 0 ||
	    (p->at + n < p->end && is_bare(p->at[n])))
		return false;
	p->at += n;
	return true;
}

static bool
value(Parser *p, TomlVal *v)
{
	char c = peek(p);

	if (c == '"' || c == '\'') {
		v->kind = TOML_STR;
		return string(p, c, &v->str);
	}
	if (c == '[')
		return array(p, v);
	if (c == '{')
		return fail(p, "inline tables are not supported");
	v->kind = TOML_BOOL;
	v->truth = word(p, "true");
	if (v->truth || word(p, "false"))
		return true;
	return integer(p, v);
}

static bool
heading(Parser *p)
{
	p->at++;
	if (peek(p) == '[')
		return fail(p, "arrays of tables are not supported");
	skip_blanks(p);
	if (!key(p, &p->table))
		return false;
	skip_blanks(p);
	if (peek(p) == '.')
		return fail(p, "tables within tables are not supported");
	if (!take(p, ']'))
		return fail(p, "expected ] behind the name of a table");
	for (u32 i = 0; i < p->out->tables.n; i++)
		if (!strcmp(p->out->tables.at[i].name, p->table))
			return fail(p, arena_printf(p->arena, "a second table [%s]", p->table));
	vec_push(p->arena, &p->out->tables, (TomlTable){p->table, p->line});
	return end_line(p);
}

static bool
entry(Parser *p)
{
	TomlEntry e = {.table = p->table, .line = p->line};

	if (!key(p, &e.key))
		return false;
	skip_blanks(p);
	if (peek(p) == '.')
		return fail(p, "keys with a dot are not supported");
	if (!take(p, '='))
		return fail(p, "expected = behind a key");
	skip_blanks(p);
	for (u32 i = 0; i < p->out->entries.n; i++)
		if (!strcmp(p->out->entries.at[i].table, e.table) &&
		    !strcmp(p->out->entries.at[i].key, e.key))
			return fail(p, arena_printf(p->arena, "a second value for %s", e.key));
	if (!value(p, &e.val))
		return false;
	vec_push(p->arena, &p->out->entries, e);
	return end_line(p);
}

bool
toml_parse(Arena *a, const char *text, size_t n, Toml *out, u32 *line, const char **error)
{
	Parser p = {.arena = a, .end = text + n, .line = 1, .table = "", .out = out};
	bool ok = true;

	p.at = text + file_mark(text, n);
	memset(out, 0, sizeof *out);
	if (memchr(text, 0, n))
		ok = fail(&p, "a zero byte: this is no text");
	while (ok) {
		skip_lines(&p);
		if (p.at == p.end)
			break;
		ok = peek(&p) == '[' ? heading(&p) : entry(&p);
	}
	*line = p.line;
	*error = p.error;
	return ok;
}
