/* test_json.c - the writer's text is what it should be, byte for byte; the
 * parser takes exactly JSON, reads back what the writer wrote, and survives
 * mutated text. */
#include "unit.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

typedef struct Out {
	Json j;
	char *text;
	size_t n;
} Out;

static void
open_out(Out *o, bool pretty)
{
	json_init(&o->j, open_memstream(&o->text, &o->n), pretty);
}

static void
expect(Out *o, const char *text)
{
	json_finish(&o->j);
	fclose(o->j.to);
	assert_string_equal(o->text, text);
	free(o->text);
}

static void
write_sample(Json *j)
{
	json_obj_begin(j);
	json_put_str(j, "s", "x");
	json_key(j, "a");
	json_arr_begin(j);
	json_i64(j, INT64_MIN);
	json_u64(j, UINT64_MAX);
	json_bool(j, true);
	json_null(j);
	json_arr_begin(j);
	json_arr_end(j);
	json_arr_end(j);
	json_key(j, "o");
	json_obj_begin(j);
	json_obj_end(j);
	json_put_bool(j, "b", false);
	json_key(j, "f");
	json_fixed(j, 1.5, 2);
	json_obj_end(j);
}

static void
compact(void **state)
{
	Out o;

	(void)state;
	open_out(&o, false);
	write_sample(&o.j);
	expect(&o, "{\"s\":\"x\",\"a\":[-9223372036854775808,18446744073709551615,true,null,[]],"
		   "\"o\":{},\"b\":false,\"f\":1.50}\n");
}

static void
indented(void **state)
{
	Out o;

	(void)state;
	open_out(&o, true);
	write_sample(&o.j);
	expect(&o, "{\n  \"s\": \"x\",\n  \"a\": [\n    -9223372036854775808,\n"
		   "    18446744073709551615,\n    true,\n    null,\n    []\n  ],\n"
		   "  \"o\": {},\n  \"b\": false,\n  \"f\": 1.50\n}\n");
}

/* Each input string and what it becomes between the quotes. */
static void
escapes(void **state)
{
	static const char *const cases[][2] = {
	    {"", ""},
	    {"a\"b\\c/", "a\\\"b\\\\c/"},
	    {"\b\f\n\r\t\x01\x1f\x7f", "\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f"},
	    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
	    {"\xff", "\\ufffd"},
	    {"a\xc3", "a\\ufffd"},
	    {"\xc3\xc3\xa9", "\\ufffd\xc3\xa9"},
	    {"\xc0\x80", "\\ufffd\\ufffd"},
	    {"\xed\xa0\x80", "\\ufffd\\ufffd\\ufffd"},
	    {"\xf4\x90\x80\x80", "\\ufffd\\ufffd\\ufffd\\ufffd"},
	    {"\xe2\x82", "\\ufffd\\ufffd"},
	};
	char want[128];

	(void)state;
	for (u32 i = 0; i < COUNT(cases); i++) {
		Out o;
		open_out(&o, false);
		json_str(&o.j, cases[i][0]);
		snprintf(want, sizeof want, "\"%s\"\n", cases[i][1]);
		expect(&o, want);
	}
}

static void
formatted(void **state)
{
	char want[1010];
	Out o;

	(void)state;
	open_out(&o, false);
	json_arr_begin(&o.j);
	json_strf(&o.j, "%s:%d", "a", 1);
	json_strf(&o.j, "%0*d", 1000, 0);
	json_str(&o.j, NULL);
	json_arr_end(&o.j);
	memset(want, '0', 1000);
	want[1000] = 0;
	json_finish(&o.j);
	fclose(o.j.to);
	assert_non_null(strstr(o.text, want));
	assert_non_null(strstr(o.text, "[\"a:1\","));
	assert_non_null(strstr(o.text, ",null]"));
	free(o.text);
}

static void
values(void **state)
{
	static const char text[] = " {\"a\" : [1, -2.5e1, true,\n null, \"\\u00e9\\ud83d\\ude00"
				   "\\ud800x\"], \"n\": 99999999999999999999, \"a\": 7}\r\n";
	const char *error = NULL;
	const JsonVal *v, *list;
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	v = json_parse(&a, text, strlen(text), &error);
	assert_non_null(v);
	assert_int_equal(v->n, 3);
	list = &v->items[0];
	assert_int_equal(list->n, 5);
	assert_true(list->items[0].whole && list->items[0].integer == 1);
	assert_true(!list->items[1].whole && list->items[1].num == -25.0);
	assert_true(list->items[2].kind == JSON_BOOL && list->items[2].truth);
	assert_int_equal(list->items[3].kind, JSON_NULL);
	assert_int_equal(list->items[3].line, 2);
	assert_string_equal(list->items[4].str, "\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbdx");
	assert_int_equal(json_get_i64(v, "a", -1), 7);
	assert_int_equal(json_get_i64(v, "n", -1), -1);
	assert_true(json_get(v, "n")->num > 9e19);
	assert_null(json_get(v, "b"));
	assert_null(json_get_str(v, "a"));
	assert_null(json_get(NULL, "a"));
	arena_release(&a);
}

/* Each wrong text and its message. */
static void
mistakes(void **state)
{
	static const char *const cases[][2] = {
	    {"", "1:1: the text ends too early"},
	    {"{", "1:2: the text ends too early"},
	    {"[1,]", "1:4: expected a value"},
	    {"[1 2]", "1:4: expected ',' or ']'"},
	    {"{\"a\":1,\n\"b\" 2}", "2:5: expected ':'"},
	    {"{a:1}", "1:2: expected a string"},
	    {"01", "1:2: a number with a leading zero"},
	    {"-", "1:2: the text ends too early"},
	    {"1.", "1:3: the text ends too early"},
	    {"+1", "1:1: expected a value"},
	    {"nul", "1:1: expected a value"},
	    {"\"a", "1:1: the string has no end"},
	    {"\"a\\\"", "1:1: the string has no end"},
	    {"\"a\\", "1:1: the string has no end"},
	    {"\"\\x\"", "1:3: an unknown escape"},
	    {"\"\\u12g4\"", "1:6: expected four hexadecimal digits"},
	    {"\"a\nb\"", "1:3: a control character in a string"},
	    {"1 1", "1:3: something stands behind the value"},
	    {"'a'", "1:1: expected a value"},
	    {"// c\n1", "1:1: expected a value"},
	    {"NaN", "1:1: expected a value"},
	};
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	for (u32 i = 0; i < COUNT(cases); i++) {
		const char *error = NULL;
		assert_null(json_parse(&a, cases[i][0], strlen(cases[i][0]), &error));
		assert_string_equal(error, cases[i][1]);
	}
	arena_release(&a);
}

static void
depth(void **state)
{
	enum { N = 100000 };
	const char *error = NULL;
	char *text;
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	text = arena_alloc(&a, N);
	memset(text, '[', N);
	assert_null(json_parse(&a, text, N, &error));
	assert_string_equal(error, "1:201: nested too deeply");
	memset(text + 200, ']', 200);
	assert_non_null(json_parse(&a, text, 400, &error));
	arena_release(&a);
}

static void
copy(Json *j, const JsonVal *v)
{
	switch (v->kind) {
	case JSON_NULL: json_null(j); break;
	case JSON_BOOL: json_bool(j, v->truth); break;
	case JSON_NUM: json_i64(j, v->integer); break;
	case JSON_STR: json_bytes(j, v->str, v->n); break;
	case JSON_ARR:
		json_arr_begin(j);
		for (u32 i = 0; i < v->n; i++)
			copy(j, &v->items[i]);
		json_arr_end(j);
		break;
	case JSON_OBJ:
		json_obj_begin(j);
		for (u32 i = 0; i < v->n; i++) {
			json_key(j, v->keys[i]);
			copy(j, &v->items[i]);
		}
		json_obj_end(j);
		break;
	}
}

/* Writes a random value at most `room` levels deep. */
static void
write_random(Json *j, Rand *r, u32 room)
{
	char bytes[8];
	u32 n = rand_below(r, sizeof bytes);

	switch (rand_below(r, room ? 6 : 4)) {
	case 0: json_null(j); break;
	case 1: json_bool(j, rand_below(r, 2)); break;
	case 2: json_i64(j, (i64)rand_below(r, UINT32_MAX) - rand_below(r, UINT32_MAX)); break;
	case 3:
		for (u32 i = 0; i < n; i++)
			bytes[i] = (char)rand_below(r, 128);
		json_bytes(j, bytes, n);
		break;
	case 4:
		json_arr_begin(j);
		while (rand_below(r, 4))
			write_random(j, r, room - 1);
		json_arr_end(j);
		break;
	default:
		json_obj_begin(j);
		while (rand_below(r, 4)) {
			snprintf(bytes, sizeof bytes, "k%u", rand_below(r, 100));
			json_key(j, bytes);
			write_random(j, r, room - 1);
		}
		json_obj_end(j);
	}
}

static void
round_trip(void **state)
{
	Rand r = {10};

	(void)state;
	for (u32 round = 0; round < 500; round++) {
		const char *error = NULL;
		const JsonVal *v;
		Arena a;
		Out first, again;
		arena_init(&a, NULL);
		open_out(&first, round % 2);
		write_random(&first.j, &r, 5);
		json_finish(&first.j);
		fclose(first.j.to);
		v = json_parse(&a, first.text, first.n, &error);
		assert_non_null(v);
		open_out(&again, round % 2);
		copy(&again.j, v);
		expect(&again, first.text);
		free(first.text);
		arena_release(&a);
	}
}

/* Mutated and cut text in a block of exactly its size: an answer or a message,
 * and no read past the end. */
static void
mutants(void **state)
{
	static const char seed[] = "{\"k\": [1.5e3, \"\\u00e9\\\\x\", {\"a\": null}], \"t\": true}";
	Rand r = {11};

	(void)state;
	for (u32 round = 0; round < 20000; round++) {
		size_t n = rand_below(&r, sizeof seed);
		char *text = malloc(n ? n : 1);
		const char *error = NULL;
		Arena a;
		arena_init(&a, NULL);
		memcpy(text, seed, n);
		for (u32 k = rand_below(&r, 4); n && k; k--)
			text[rand_below(&r, (u32)n)] = seed[rand_below(&r, sizeof seed)];
		assert_true(json_parse(&a, text, n, &error) || error);
		free(text);
		arena_release(&a);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(compact),   cmocka_unit_test(indented),   cmocka_unit_test(escapes),
	    cmocka_unit_test(formatted), cmocka_unit_test(values),     cmocka_unit_test(mistakes),
	    cmocka_unit_test(depth),     cmocka_unit_test(round_trip), cmocka_unit_test(mutants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
