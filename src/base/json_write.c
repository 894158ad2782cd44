/* json_write.c - the streaming writer of json.h.
 *
 * Level 0 is the text itself and takes one value.  Between calls, after_key
 * says that a key waits for its value.  Reports are millions of short pieces, so they
 * are gathered before they go to the file. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

void
json_init(Json *j, FILE *to, bool pretty)
{
	j->to = to;
	j->pretty = pretty;
	j->after_key = false;
	j->depth = j->npiece = 0;
	j->filled = j->objects = j->gone = 0;
}

void
json_flush(Json *j)
{
	fwrite_unlocked(j->pieces, 1, j->npiece, j->to);
	j->gone += j->npiece;
	j->npiece = 0;
}

static void
put(Json *j, const void *p, size_t n)
{
	if (n > sizeof j->pieces - j->npiece) {
		json_flush(j);
		if (n > sizeof j->pieces) {
			fwrite_unlocked(p, 1, n, j->to);
			j->gone += n;
			return;
		}
	}
	memcpy(j->pieces + j->npiece, p, n);
	j->npiece += (u32)n;
}

static void
put_char(Json *j, char c)
{
	if (j->npiece == sizeof j->pieces)
		json_flush(j);
	j->pieces[j->npiece++] = c;
}

void
json_nest(Json *j, u32 level)
{
	assert(!j->depth && !j->filled && level < JSON_DEPTH);
	j->depth = level;
}

void
json_finish(Json *j)
{
	assert(!j->depth && !j->after_key && (j->filled & 1));
	put_char(j, '\n');
	json_flush(j);
}

static void
new_line(Json *j)
{
	if (!j->pretty)
		return;
	put_char(j, '\n');
	for (u32 i = 0; i < j->depth; i++)
		put(j, "  ", 2);
}

/* Separates what comes from what was there on this level. */
static void
separate(Json *j)
{
	u64 bit = (u64)1 << j->depth;

	assert(j->depth || !(j->filled & bit));
	if (j->filled & bit)
		put_char(j, ',');
	if (j->depth)
		new_line(j);
	j->filled |= bit;
}

/* Goes before every value. */
static void
before_value(Json *j)
{
	if (j->after_key) {
		j->after_key = false;
		return;
	}
	assert(!(j->objects >> j->depth & 1));
	separate(j);
}

static void
begin(Json *j, char bracket, bool object)
{
	before_value(j);
	put_char(j, bracket);
	j->depth++;
	assert(j->depth <= JSON_DEPTH);
	j->filled &= ~((u64)1 << j->depth);
	j->objects &= ~((u64)1 << j->depth);
	j->objects |= (u64)object << j->depth;
}

static void
end(Json *j, char bracket, bool object)
{
	bool filled = j->filled >> j->depth & 1;

	assert(j->depth && !j->after_key && (j->objects >> j->depth & 1) == object);
	j->depth--;
	if (filled)
		new_line(j);
	put_char(j, bracket);
}

void
json_obj_begin(Json *j)
{
	begin(j, '{', true);
}

void
json_obj_end(Json *j)
{
	end(j, '}', true);
}

void
json_arr_begin(Json *j)
{
	begin(j, '[', false);
}

void
json_arr_end(Json *j)
{
	end(j, ']', false);
}

/* The length of the valid UTF-8 sequence at p, 0 if there is none (Unicode 15,
 * table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t
sequence(const u8 *p, size_t n)
{
	u8 low = 0x80, high = 0xbf;
	size_t len;

	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		len = 2;
	else if (p[0] >= 0xe0 && p[0] <= 0xef)
		len = 3;
	else if (p[0] >= 0xf0 && p[0] <= 0xf4)
		len = 4;
	else
		return 0;
	if (p[0] == 0xe0)
		low = 0xa0;
	else if (p[0] == 0xed)
		high = 0x9f;
	else if (p[0] == 0xf0)
		low = 0x90;
	else if (p[0] == 0xf4)
		high = 0x8f;
	if (n < len || p[1] < low || p[1] > high)
		return 0;
	for (size_t i = 2; i < len; i++)
		if (p[i] < 0x80 || p[i] > 0xbf)
			return 0;
	return len;
}

/* Writes an ASCII character that is not itself inside a string. */
static void
escape(Json *j, u8 c)
{
	static const char from[] = "\"\\\b\f\n\r\t", as[] = "\"\\bfnrt";
	const char *at = c ? strchr(from, c) : NULL;
	char text[8];

	if (at)
		put(j, (char[]){'\\', as[at - from]}, 2);
	else
		put(j, text, (size_t)snprintf(text, sizeof text, "\\u%04x", c));
}

static bool
is_plain(u8 c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Is each of the eight bytes of w an ASCII character that goes out as it is?  The high
 * bit of a byte of `odd` is set where one is not, or, above the first such byte, perhaps. */
static bool
all_plain(u64 w)
{
	const u64 ones = 0x0101010101010101, high = ones << 7;
	u64 quote = w ^ ones * '"', slash = w ^ ones * '\\', del = w ^ ones * 0x7f;
	u64 odd = w | (w - ones * 0x20) | (quote - ones) | (slash - ones) | (del - ones);

	return !(odd & high);
}

/* How many bytes go out as they are. */
static size_t
plain(const u8 *p, size_t n)
{
	size_t i = 0;

	for (;;) {
		u64 w;
		size_t len;

		for (; n - i >= sizeof w; i += sizeof w) {
			memcpy(&w, p + i, sizeof w);
			if (!all_plain(w))
				break;
		}
		if (n - i < sizeof w && n >= sizeof w) { /* the last ones once more */
			memcpy(&w, p + n - sizeof w, sizeof w);
			if (all_plain(w))
				return n;
		}
		while (i < n && is_plain(p[i]))
			i++;
		len = i < n && p[i] >= 0x80 ? sequence(p + i, n - i) : 0;
		if (!len)
			break;
		i += len;
	}
	return i;
}

static void
put_text(Json *j, const char *s, size_t n)
{
	const u8 *p = (const u8 *)s, *end = p + n;

	for (;;) {
		size_t as_is = plain(p, (size_t)(end - p));
		put(j, p, as_is);
		p += as_is;
		if (p == end)
			break;
		if (*p < 0x80)
			escape(j, *p);
		else
			put(j, "\\ufffd", 6);
		p++;
	}
}

static void
quote(Json *j, const char *s, size_t n)
{
	put_char(j, '"');
	put_text(j, s, n);
	put_char(j, '"');
}

void
json_key(Json *j, const char *key)
{
	assert((j->objects >> j->depth & 1) && !j->after_key);
	separate(j);
	put_char(j, '"');
	put(j, key, strlen(key));
	put(j, "\": ", j->pretty ? 3 : 2);
	j->after_key = true;
}

void
json_bytes(Json *j, const char *p, size_t n)
{
	before_value(j);
	quote(j, n ? p : "", n);
}

void
json_str(Json *j, const char *s)
{
	if (s)
		json_bytes(j, s, strlen(s));
	else
		json_null(j);
}

void
json_join(Json *j, const char *const *parts, u32 n)
{
	before_value(j);
	put_char(j, '"');
	for (u32 i = 0; i < n; i++)
		put_text(j, parts[i], strlen(parts[i]));
	put_char(j, '"');
}

void
json_strf(Json *j, const char *fmt, ...)
{
	char small[256];
	Arena scratch;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof small, fmt, ap);
	va_end(ap);
	assert(n >= 0);
	if ((size_t)n < sizeof small) {
		json_bytes(j, small, (size_t)n);
		return;
	}
	arena_init(&scratch, NULL);
	va_start(ap, fmt);
	json_bytes(j, arena_vprintf(&scratch, fmt, ap), (size_t)n);
	va_end(ap);
	arena_release(&scratch);
}

void
json_u64(Json *j, u64 x)
{
	char digits[20];
	u32 n = sizeof digits;

	before_value(j);
	do
		digits[--n] = (char)('0' + x % 10);
	while (x /= 10);
	put(j, digits + n, sizeof digits - n);
}

void
json_i64(Json *j, i64 x)
{
	char digits[24];

	before_value(j);
	put(j, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, x));
}

void
json_fixed(Json *j, double x, u32 digits)
{
	char text[400]; /* the largest double has 309 digits before the point */

	assert(isfinite(x) && digits < 64);
	before_value(j);
	put(j, text, (size_t)snprintf(text, sizeof text, "%.*f", (int)digits, x));
}

void
json_bool(Json *j, bool x)
{
	before_value(j);
	put(j, x ? "true" : "false", x ? 4 : 5);
}

void
json_null(Json *j)
{
	before_value(j);
	put(j, "null", 4);
}

u64
json_at(const Json *j)
{
	return j->gone + j->npiece;
}

const char *
json_since(const Json *j, u64 at, u32 *n)
{
	*n = (u32)(json_at(j) - at);
	return at < j->gone ? NULL : j->pieces + (at - j->gone);
}

void
json_again(Json *j, const char *text, u32 n)
{
	assert(!j->pretty);
	before_value(j);
	put(j, text, n);
}

void
json_put_str(Json *j, const char *key, const char *s)
{
	json_key(j, key);
	json_str(j, s);
}

void
json_put_u64(Json *j, const char *key, u64 x)
{
	json_key(j, key);
	json_u64(j, x);
}

void
json_put_bool(Json *j, const char *key, bool x)
{
	json_key(j, key);
	json_bool(j, x);
}
