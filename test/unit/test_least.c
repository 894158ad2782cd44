/* test_least.c - a queue of numbers against a row of marks. */
#include "unit.h"

#include "base/least.h"

enum { NUMBERS = 300000 }; /* of more than one word of the last row */

static u32
least_marked(const bool *marked)
{
	u32 x = 0;

	while (x < NUMBERS && !marked[x])
		x++;
	return x;
}

static void
as_marked(void **state)
{
	static bool marked[NUMBERS];
	Arena a;
	Least l = {0};
	u64 seed = 3;
	u32 n = 0;

	(void)state;
	arena_init(&a, NULL);
	for (u32 i = 0; i < 3000; i++) {
		u32 x;
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		x = (u32)(seed >> 33) % NUMBERS >> (seed >> 20) % 18;
		if (n && (seed >> 30) % 3 == 0) {
			u32 least = least_marked(marked);
			assert_int_equal(least_take(&l), least);
			marked[least] = false;
			n--;
		} else {
			least_add(&a, &l, x); /* some are there already */
			n += !marked[x];
			marked[x] = true;
		}
		assert_int_equal(l.n, n);
	}
	least_clear(&l);
	assert_int_equal(l.n, 0);
	least_add(&a, &l, 5);
	assert_int_equal(least_take(&l), 5);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_marked)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
