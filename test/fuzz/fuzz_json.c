/* fuzz_json.c - the JSON reader: what it accepts is written as a text that, read
 * again, is written the same. */
#include "fuzz.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

/* Can the writer have it for a key? */
static bool
is_name(const char *key)
{
	for (; *key; key++)
		if (*key < 0x20 || *key > 0x7e || *key == '"' || *key == '\\')
			return false;
	return true;
}

static void put(Json *j, const JsonVal *v);

/* Keys that are no names become values. */
static void
put_members(Json *j, const JsonVal *v)
{
	bool names = true;

	for (u32 i = 0; i < v->n; i++)
		names &= is_name(v->keys[i]);
	names ? json_obj_begin(j) : json_arr_begin(j);
	for (u32 i = 0; i < v->n; i++) {
		names ? json_key(j, v->keys[i]) : json_str(j, v->keys[i]);
		put(j, &v->items[i]);
	}
	names ? json_obj_end(j) : json_arr_end(j);
}

/* Depth is bounded by the reader. */
static void
put(Json *j, const JsonVal *v)
{
	switch (v->kind) {
	case JSON_NULL: json_null(j); break;
	case JSON_BOOL: json_bool(j, v->truth); break;
	case JSON_NUM: v->whole ? json_i64(j, v->integer) : json_str(j, "number"); break;
	case JSON_STR: json_bytes(j, v->str, v->n); break;
	case JSON_ARR:
		json_arr_begin(j);
		for (u32 i = 0; i < v->n; i++)
			put(j, &v->items[i]);
		json_arr_end(j);
		break;
	case JSON_OBJ: put_members(j, v); break;
	}
}

static u32
depth(const JsonVal *v)
{
	u32 most = 0;

	for (u32 i = 0; (v->kind == JSON_ARR || v->kind == JSON_OBJ) && i < v->n; i++) {
		u32 d = depth(&v->items[i]);
		most = MAX(most, d);
	}
	return most + 1;
}

static char *
text_of(const JsonVal *v, size_t *n)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, n);
	Json j;

	json_init(&j, to, false);
	put(&j, v);
	json_finish(&j);
	fclose(to);
	return text;
}

/* What is read of what is written of v, which must be written the same way;
 * the first time, bytes that are no text may have become others. */
static const JsonVal *
again(Arena *a, const JsonVal *v)
{
	const char *error;
	size_t n, k;
	char *text = text_of(v, &n), *second;
	const JsonVal *w = json_parse(a, text, n, &error);

	assert(w);
	second = text_of(w, &k);
	assert(strlen(text) == n && strlen(second) == k);
	assert(strstr(text, "\\ufffd") || (n == k && !memcmp(text, second, n)));
	free(text);
	free(second);
	return w;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *error = NULL;
	const JsonVal *v;
	Arena a;

	arena_init(&a, NULL);
	v = json_parse(&a, (const char *)bytes, n, &error);
	assert(v || error);
	if (v && depth(v) < JSON_DEPTH) { /* the writer's bound */
		v = again(&a, v);
		(void)again(&a, v);
	}
	arena_release(&a);
	return 0;
}
