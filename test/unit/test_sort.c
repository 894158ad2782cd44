/* test_sort.c - keys of all kinds of order against qsort. */
#include "unit.h"

#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static int
compare(const void *x, const void *y)
{
	const WideKey *a = x, *b = y;

	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	return a->low < b->low ? -1 : a->low > b->low;
}

/* Few values make many equal keys; `rising` of four keys are in order already. */
static void
fill(WideKey *at, u32 n, u64 *seed, u32 values, u32 rising)
{
	for (u32 i = 0; i < n; i++) {
		u64 x = *seed = *seed * 6364136223846793005u + 1442695040888963407u;

		at[i].high = i % 4 < rising ? i : (x >> 33) % values << 40;
		at[i].low = (x >> 20) % values;
	}
}

static void
any_order(void **state)
{
	Arena a;
	u64 seed = 7;

	(void)state;
	arena_init(&a, NULL);
	for (u32 n = 0; n < 300; n += n < 40 ? 1 : 37)
		for (u32 k = 0; k < 20; k++) {
			WideKey *x = arena_array(&a, WideKey, n + 1);
			WideKey *y = arena_array(&a, WideKey, n + 1);

			fill(x, n, &seed, k % 2 ? 3 : 1000000, k % 5);
			memcpy(y, x, n * sizeof *x);
			sort_keys(&a, x, n);
			qsort(y, n, sizeof *y, compare);
			assert_memory_equal(x, y, (n + 1) * sizeof *x);
		}
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(any_order)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
