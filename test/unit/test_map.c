/* test_map.c - maps and interning against linear search. */
#include "unit.h"

#include "base/map.h"

#include <stdio.h>
#include <string.h>

static void
map_against_list(void **state)
{
	enum { KEYS = 300 };
	u64 keys[KEYS];
	u32 vals[KEYS] = {0};
	Rand r = {2};
	Map m = {0};
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	/* Keys that collide in their low bits as well as ones that do not. */
	for (u32 i = 0; i < KEYS; i++)
		keys[i] = i % 2 ? (u64)i << 40 : map_pair(i, ~i);
	for (u32 step = 0; step < 20000; step++) {
		u32 i = rand_below(&r, KEYS);
		assert_int_equal(map_get(&m, keys[i]), vals[i]);
		if (step == 10000) {
			map_clear(&m);
			memset(vals, 0, sizeof vals);
		} else if (rand_below(&r, 2)) {
			vals[i] = 1 + rand_below(&r, 1000);
			map_put(&a, &m, keys[i], vals[i]);
		} else if (step % 3 == 0) {
			u32 *at = map_at(&a, &m, keys[i]);
			assert_int_equal(*at, vals[i]);
			*at = vals[i] = step + 1;
		}
	}
	for (u32 i = 0; i < KEYS; i++)
		assert_int_equal(map_get(&m, keys[i]), vals[i]);
	arena_release(&a);
}

/* Goes on with a copy of in. */
static void
copy_intern(Intern *in, Arena *a)
{
	Intern copy;

	intern_init(&copy, a);
	intern_copy(&copy, in);
	*in = copy;
}

static void
intern_against_list(void **state)
{
	enum { MOST = 600 };
	char texts[MOST + 1][8] = {{0}};
	u32 known = 0;
	Rand r = {3};
	Intern in;
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	intern_init(&in, &a);
	assert_int_equal(intern_find(&in, "x", 1), 0);
	for (u32 step = 0; step < 5000; step++) {
		char text[8];
		u32 id, expected = 0;
		snprintf(text, sizeof text, "%x", rand_below(&r, MOST));
		for (u32 i = 1; i <= known; i++)
			if (!strcmp(texts[i], text))
				expected = i;
		assert_int_equal(intern_find(&in, text, strlen(text)), expected);
		id = intern_str(&in, text);
		if (!expected) {
			expected = ++known;
			memcpy(texts[known], text, sizeof text);
		}
		assert_int_equal(id, expected);
		assert_int_equal(intern_count(&in), known);
		assert_string_equal(intern_get(&in, id), text);
		assert_int_equal(intern_len(&in, id), strlen(text));
		if (step % 100 == 0)
			copy_intern(&in, &a);
	}
	arena_release(&a);
}

/* Zero bytes count, and the empty string has an id of its own. */
static void
intern_any_bytes(void **state)
{
	Intern in;
	Arena a;
	u32 empty, zero, two;

	(void)state;
	arena_init(&a, NULL);
	intern_init(&in, &a);
	empty = intern_bytes(&in, "", 0);
	zero = intern_bytes(&in, "\0", 1);
	two = intern_bytes(&in, "\0\0", 2);
	assert_true(empty && zero && two);
	assert_true(empty != zero && zero != two && empty != two);
	assert_string_equal(intern_get(&in, 0), "");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(map_against_list),
	    cmocka_unit_test(intern_against_list),
	    cmocka_unit_test(intern_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
