/* json_parse.c - the reader of json.h: recursive descent, one token ahead of
 * nothing, at most DEPTH levels deep so that no input can exhaust the stack.
 *
 * The first error is kept; after it every function returns false at once. */
#include "json.h"
#include "vec.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200 };

typedef struct Parser {
	Arena *arena;
	const char *at, *end;
	const char *line_start;
	u32 line, depth;
	const char *error;
} Parser;

static bool value(Parser *p, JsonVal *v);

static bool
fail_at(Parser *p, const char *at, const char *what)
{
	if (!p->error)
		p->error = arena_printf(p->arena, "%u:%zu: %s", p->line,
					(size_t)(at - p->line_start) + 1, what);
	return false;
}

static bool
fail(Parser *p, const char *what)
{
	return fail_at(p, p->at, p->at == p->end ? "the text ends too early" : what);
}

static void
skip_space(Parser *p)
{
	for (; p->at < p->end; p->at++) {
		if (*p->at == '\n') {
			p->line++;
			p->line_start = p->at + 1;
		} else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r') {
			break;
		}
	}
}

/* Passes c if it comes next. */
static bool
take(Parser *p, char c)
{
	if (p->at == p->end || *p->at != c)
		return false;
	p->at++;
	return true;
}

static bool
take_word(Parser *p, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n))
		return fail(p, "expected a value");
	p->at += n;
	return true;
}

static bool
is_digit(const Parser *p)
{
	return p->at < p->end && *p->at >= '0' && *p->at <= '9';
}

static bool
digits(Parser *p)
{
	if (!is_digit(p))
		return fail(p, "expected a digit");
	while (is_digit(p))
		p->at++;
	return true;
}

static bool
number(Parser *p, JsonVal *v)
{
	const char *from = p->at;
	char *copy;

	v->kind = JSON_NUM;
	v->whole = true;
	take(p, '-');
	if (take(p, '0')) {
		if (is_digit(p))
			return fail(p, "a number with a leading zero");
	} else if (!digits(p)) {
		return false;
	}
	if (take(p, '.')) {
		v->whole = false;
		if (!digits(p))
			return false;
	}
	if (take(p, 'e') || take(p, 'E')) {
		v->whole = false;
		if (!take(p, '-'))
			take(p, '+');
		if (!digits(p))
			return false;
	}
	copy = arena_dup(p->arena, from, (size_t)(p->at - from));
	v->num = strtod(copy, NULL);
	errno = 0;
	v->integer = v->whole ? strtoll(copy, NULL, 10) : 0;
	v->whole = v->whole && !errno;
	arena_recycle(p->arena, copy, (size_t)(p->at - from) + 1);
	return true;
}

static bool
hex4(Parser *p, u32 *code)
{
	*code = 0;
	for (u32 i = 0; i < 4; i++, p->at++) {
		u32 c = p->at < p->end ? (u8)*p->at : 0;
		if (c >= '0' && c <= '9')
			*code = *code << 4 | (c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			*code = *code << 4 | ((c | 32) - 'a' + 10);
		else
			return fail(p, "expected four hexadecimal digits");
	}
	return true;
}

static char *
put_utf8(char *to, u32 c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xe0 | c >> 12);
		} else {
			*to++ = (char)(0xf0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (c & 0x3f));
	return to;
}

/* The character of \uXXXX, whose backslash and u are passed; a surrogate that
 * stands alone is U+FFFD. */
static bool
unicode(Parser *p, char **to)
{
	u32 c, low;

	if (!hex4(p, &c))
		return false;
	if (c >= 0xd800 && c < 0xdc00 && p->end - p->at >= 2 && p->at[0] == '\\' &&
	    p->at[1] == 'u') {
		const char *back = p->at;
		p->at += 2;
		if (!hex4(p, &low))
			return false;
		if (low >= 0xdc00 && low < 0xe000)
			c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
		else
			p->at = back;
	}
	*to = put_utf8(*to, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
	return true;
}

static bool
escaped(Parser *p, char **to)
{
	static const char from[] = "\"\\/bfnrt", as[] = "\"\\/\b\f\n\r\t";
	const char *at;

	if (p->at == p->end)
		return fail(p, "");
	if (take(p, 'u'))
		return unicode(p, to);
	at = *p->at ? strchr(from, *p->at) : NULL;
	if (!at)
		return fail(p, "an unknown escape");
	p->at++;
	*(*to)++ = as[at - from];
	return true;
}

/* A string, whose contents take no more room than their text. */
static bool
string(Parser *p, const char **str, u32 *n)
{
	const char *close, *from = p->at;
	char *copy, *to;

	if (!take(p, '"'))
		return fail(p, "expected a string");
	for (close = p->at; close < p->end && *close != '"'; close++)
		close += *close == '\\' && close + 1 < p->end;
	if (close >= p->end)
		return fail_at(p, from, "the string has no end");
	if ((size_t)(close - p->at) > UINT32_MAX / 2)
		return fail_at(p, from, "the string is too long");
	to = copy = arena_alloc(p->arena, (size_t)(close - p->at) + 1);
	while (p->at < close) {
		if ((u8)*p->at < 0x20)
			return fail(p, "a control character in a string");
		if (!take(p, '\\'))
			*to++ = *p->at++;
		else if (!escaped(p, &to))
			return false;
	}
	*str = copy;
	*n = (u32)(to - copy);
	return take(p, '"') || fail(p, "the string has no end");
}

/* The items of an array or object, after its opening bracket. */
static bool
items(Parser *p, JsonVal *v, char bracket)
{
	Vec(JsonVal) list = {0};
	Vec(const char *) keys = {0};
	u32 len;

	skip_space(p);
	for (bool more = !take(p, bracket); more;) {
		JsonVal item = {0};
		const char *key = NULL;
		skip_space(p);
		if (v->kind == JSON_OBJ) {
			if (!string(p, &key, &len))
				return false;
			skip_space(p);
			if (!take(p, ':'))
				return fail(p, "expected ':'");
			vec_push(p->arena, &keys, key);
		}
		if (!value(p, &item))
			return false;
		vec_push(p->arena, &list, item);
		skip_space(p);
		more = take(p, ',');
		if (!more && !take(p, bracket))
			return fail(p, v->kind == JSON_OBJ ? "expected ',' or '}'"
							   : "expected ',' or ']'");
	}
	v->items = list.at;
	v->keys = keys.at;
	v->n = list.n;
	return true;
}

static bool
nested(Parser *p, JsonVal *v, JsonKind kind, char bracket)
{
	bool ok;

	v->kind = kind;
	if (p->depth == DEPTH)
		return fail(p, "nested too deeply");
	p->at++;
	p->depth++;
	ok = items(p, v, bracket);
	p->depth--;
	return ok;
}

static bool
value(Parser *p, JsonVal *v)
{
	skip_space(p);
	v->line = p->line;
	switch (p->at < p->end ? *p->at : 0) {
	case '{': return nested(p, v, JSON_OBJ, '}');
	case '[': return nested(p, v, JSON_ARR, ']');
	case '"': v->kind = JSON_STR; return string(p, &v->str, &v->n);
	case 't':
	case 'f':
		v->kind = JSON_BOOL;
		v->truth = *p->at == 't';
		return take_word(p, v->truth ? "true" : "false");
	case 'n': return take_word(p, "null");
	default:
		if (is_digit(p) || (p->at < p->end && *p->at == '-'))
			return number(p, v);
		return fail(p, "expected a value");
	}
}

const JsonVal *
json_parse(Arena *a, const char *text, size_t n, const char **error)
{
	JsonVal *v = arena_new(a, JsonVal);
	Parser p = {.arena = a, .at = text, .end = text + n, .line_start = text, .line = 1};

	if (value(&p, v)) {
		skip_space(&p);
		if (p.at == p.end)
			return v;
		fail(&p, "something stands behind the value");
	}
	*error = p.error;
	return NULL;
}

const JsonVal *
json_get(const JsonVal *v, const char *key)
{
	if (!v || v->kind != JSON_OBJ)
		return NULL;
	for (u32 i = v->n; i; i--)
		if (!strcmp(v->keys[i - 1], key))
			return &v->items[i - 1];
	return NULL;
}

const char *
json_get_str(const JsonVal *v, const char *key)
{
	const JsonVal *m = json_get(v, key);

	return m && m->kind == JSON_STR ? m->str : NULL;
}

i64
json_get_i64(const JsonVal *v, const char *key, i64 otherwise)
{
	const JsonVal *m = json_get(v, key);

	return m && m->kind == JSON_NUM && m->whole ? m->integer : otherwise;
}
