/* test_pool.c - every turn runs exactly once, on a worker of its own, and the
 * results are the same for any number of workers. */
#include "unit.h"

#include "base/map.h"
#include "base/pool.h"

#include <string.h>

enum { TURNS = 5000, WORKERS = 4 };

typedef struct Work {
	u64 result[TURNS];
	u32 runs[TURNS];
	u32 inside[WORKERS]; /* plain: a worker runs one turn at a time */
	u32 workers;
	bool clash;
} Work;

static void
turn(void *ctx, u32 i, u32 worker)
{
	Work *w = ctx;
	u64 x = i;

	if (worker >= w->workers || w->inside[worker]++)
		w->clash = true;
	for (u32 k = 0; k < i % 100; k++)
		x = hash_u64(x);
	w->result[i] = x;
	w->runs[i]++;
	w->inside[worker]--;
}

static void
same_for_any_number(void **state)
{
	static Work one, many;
	Arena a;
	Pool *p;

	(void)state;
	arena_init(&a, NULL);
	p = pool_new(&a, 1);
	one.workers = pool_workers(p);
	assert_int_equal(one.workers, 1);
	pool_run(p, TURNS, turn, &one);
	pool_release(p);
	p = pool_new(&a, WORKERS);
	many.workers = pool_workers(p);
	assert_true(many.workers >= 1 && many.workers <= WORKERS);
	for (u32 round = 0; round < 20; round++) {
		u32 n = round == 0 ? TURNS : round == 1 ? 0 : round * 7 - 13;
		memset(many.runs, 0, sizeof many.runs);
		pool_run(p, n, turn, &many);
		assert_false(many.clash);
		for (u32 i = 0; i < TURNS; i++) {
			assert_int_equal(many.runs[i], i < n);
			assert_true(many.result[i] == one.result[i]);
		}
	}
	pool_release(p);
	arena_release(&a);
}

static void
unused_pool(void **state)
{
	Arena a;
	Pool *p;

	(void)state;
	arena_init(&a, NULL);
	p = pool_new(&a, 0);
	assert_true(pool_workers(p) >= 1);
	pool_release(p);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(same_for_any_number),
	    cmocka_unit_test(unused_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
