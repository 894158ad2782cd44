/* json_write.c - the streaming writer of json.h.
 *
 * Level 0 is the text itself and takes one value.  Between calls, after_key
 * says that a key waits for its value. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

void
json_init(Json *j, FILE *to, bool pretty)
{
	*j = (Json){.to = to, .pretty = pretty};
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
	fputc('\n', j->to);
}

static void
new_line(Json *j)
{
	if (!j->pretty)
		return;
	fputc_unlocked('\n', j->to);
	for (u32 i = 0; i < j->depth; i++)
		fwrite_unlocked("  ", 1, 2, j->to);
}

/* Separates what comes from what was there on this level. */
static void
separate(Json *j)
{
	u64 bit = (u64)1 << j->depth;

	assert(j->depth || !(j->filled & bit));
	if (j->filled & bit)
		fputc_unlocked(',', j->to);
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
	fputc_unlocked(bracket, j->to);
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
	fputc_unlocked(bracket, j->to);
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
escape(FILE *to, u8 c)
{
	static const char from[] = "\"\\\b\f\n\r\t", as[] = "\"\\bfnrt";
	const char *at = c ? strchr(from, c) : NULL;

	if (at)
		fprintf(to, "\\%c", as[at - from]);
	else
		fprintf(to, "\\u%04x", c);
}

static void
quote(FILE *to, const char *s, size_t n)
{
	const u8 *p = (const u8 *)s;
	size_t plain = 0; /* bytes before p + i that can go out as they are */

	fputc_unlocked('"', to);
	for (size_t i = 0; i < n;) {
		size_t len = sequence(p + i, n - i);
		if (len && p[i] >= 0x20 && p[i] != '"' && p[i] != '\\' && p[i] != 0x7f) {
			plain += len;
			i += len;
			continue;
		}
		fwrite(p + i - plain, 1, plain, to);
		plain = 0;
		if (len)
			escape(to, p[i]);
		else
			fputs("\\ufffd", to);
		i++;
	}
	fwrite_unlocked(p + n - plain, 1, plain, to);
	fputc_unlocked('"', to);
}

void
json_key(Json *j, const char *key)
{
	assert((j->objects >> j->depth & 1) && !j->after_key);
	separate(j);
	quote(j->to, key, strlen(key));
	fputs_unlocked(j->pretty ? ": " : ":", j->to);
	j->after_key = true;
}

void
json_bytes(Json *j, const char *p, size_t n)
{
	before_value(j);
	quote(j->to, n ? p : "", n);
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
	fwrite_unlocked(digits + n, 1, sizeof digits - n, j->to);
}

void
json_i64(Json *j, i64 x)
{
	before_value(j);
	fprintf(j->to, "%" PRId64, x);
}

void
json_fixed(Json *j, double x, u32 digits)
{
	assert(isfinite(x));
	before_value(j);
	fprintf(j->to, "%.*f", (int)digits, x);
}

void
json_bool(Json *j, bool x)
{
	before_value(j);
	fputs(x ? "true" : "false", j->to);
}

void
json_null(Json *j)
{
	before_value(j);
	fputs("null", j->to);
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
