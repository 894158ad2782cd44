/* test_arena.c - arenas and vectors: blocks are zeroed, aligned and apart,
 * growth keeps the contents, the budget counts. */
#include "unit.h"

#include "base/vec.h"

#include <string.h>

typedef struct Block {
	u8 *p;
	u32 n;
	u8 fill;
} Block;

static bool
holds(const Block *b)
{
	for (u32 i = 0; i < b->n; i++)
		if (b->p[i] != b->fill)
			return false;
	return true;
}

static bool
zeroed(const u8 *p, u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

/* Random allocation, growth and recycling: a block is zero when it comes, and
 * nobody else writes into it. */
static void
blocks_are_apart(void **state)
{
	enum { BLOCKS = 200 };
	Block block[BLOCKS] = {0};
	Rand r = {1};
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	for (u32 step = 0; step < 20000; step++) {
		Block *b = &block[rand_below(&r, BLOCKS)];
		u32 n = rand_below(&r, 10) ? rand_below(&r, 200) : rand_below(&r, 100000);
		assert_true(holds(b));
		if (b->p && rand_below(&r, 2)) {
			arena_recycle(&a, b->p, b->n);
			b->p = NULL;
			b->n = 0;
		} else if (b->p && n >= b->n) {
			b->p = arena_grow(&a, b->p, b->n, n);
			assert_true(zeroed(b->p + b->n, n - b->n));
			b->n = MIN(b->n, n);
			assert_true(holds(b));
		} else {
			b->p = arena_alloc(&a, n);
			assert_true(zeroed(b->p, n));
		}
		assert_int_equal((uintptr_t)b->p % 16, 0);
		if (b->p)
			b->n = n;
		b->fill = (u8)step;
		if (b->n)
			memset(b->p, b->fill, b->n);
	}
	arena_release(&a);
}

static void
budget_counts(void **state)
{
	Budget budget = {.limit = 1 << 20};
	Arena a, b;

	(void)state;
	arena_init(&a, &budget);
	arena_init(&b, &budget);
	arena_alloc(&a, 100);
	assert_false(arena_exceeded(&a));
	arena_alloc(&b, 1 << 20);
	assert_true(arena_exceeded(&a));
	assert_true(budget.used > 1 << 20);
	arena_release(&a);
	arena_release(&b);
	assert_int_equal(budget.used, 0);
	assert_true(budget.peak > 1 << 20);
	assert_true(arena_exceeded(&a));
}

static void
reserve_is_finite(void **state)
{
	Budget budget = {.limit = 1 << 20};
	Arena a, free;

	(void)state;
	arena_init(&a, &budget);
	arena_init(&free, NULL);
	assert_true(arena_has_room(&a, 2 << 20)); /* beyond the limit */
	assert_false(arena_has_room(&a, (size_t)1 << 30));
	assert_true(arena_has_room(&free, (size_t)1 << 30));
	arena_alloc(&a, 60 << 20);
	assert_false(arena_has_room(&a, 60 << 20));
	arena_exceed(&free);
	assert_false(arena_exceeded(&free));
	arena_release(&a);
	budget = (Budget){0};
	assert_true(arena_has_room(&a, (size_t)1 << 30));
	assert_false(arena_exceeded(&a));
	arena_exceed(&a);
	assert_true(arena_exceeded(&a));
}

/* What another arena had goes with the one that took it over. */
static void
adopted(void **state)
{
	Budget b = {0};
	Arena a, other;
	char *first, *second, *late;

	(void)state;
	arena_init(&a, &b);
	arena_init(&other, &b);
	first = arena_strdup(&a, "first");
	second = arena_strdup(&other, "second");
	arena_adopt(&a, &other);
	arena_adopt(&a, &other); /* nothing more */
	late = arena_strdup(&a, "late");
	assert_string_equal(first, "first");
	assert_string_equal(second, "second");
	assert_string_equal(late, "late");
	assert_true(atomic_load(&b.used) > 0);
	arena_release(&other);
	assert_string_equal(second, "second");
	arena_release(&a);
	assert_int_equal(atomic_load(&b.used), 0);
}

static void
strings(void **state)
{
	Arena a;
	char *s;

	(void)state;
	arena_init(&a, NULL);
	assert_string_equal(arena_printf(&a, "%s-%d", "x", 7), "x-7");
	s = arena_printf(&a, "%0*d", 5000, 1);
	assert_int_equal(strlen(s), 5000);
	assert_string_equal(arena_dup(&a, "abc", 2), "ab");
	assert_string_equal(arena_dup(&a, NULL, 0), "");
	arena_release(&a);
}

static void
vector(void **state)
{
	Vec(u64) v = {0};
	Arena a;
	u64 *more;

	(void)state;
	arena_init(&a, NULL);
	for (u32 i = 0; i < 1000; i++)
		vec_push(&a, &v, (u64)i * i);
	more = vec_extend(&a, &v, 500);
	assert_int_equal(v.n, 1500);
	for (u32 i = 0; i < 1000; i++)
		assert_int_equal(v.at[i], (u64)i * i);
	for (u32 i = 0; i < 500; i++)
		assert_int_equal(more[i], 0);
	arena_release(&a);
}

/* What a table has left behind serves for small blocks, also in an arena that adopted it, and is zero then. */
static void
reused(void **state)
{
	enum { LARGE = 1 << 19, SMALL = 40, MANY = LARGE / 64 };
	Budget budget = {0};
	Arena a, b;
	u8 *p;

	(void)state;
	arena_init(&a, &budget);
	arena_init(&b, &budget);
	(void)arena_alloc(&a, SMALL);
	p = arena_alloc(&b, LARGE);
	memset(p, 0xff, LARGE);
	arena_recycle(&b, p, LARGE);
	arena_adopt(&a, &b);
	for (u32 i = 0; i < MANY; i++) {
		u8 *q = arena_alloc(&a, SMALL);
		assert_true(zeroed(q, SMALL));
		memset(q, 0xff, SMALL);
	}
#ifndef __SANITIZE_ADDRESS__
	assert_true(budget.used < LARGE + LARGE / 2);
#endif
	arena_release(&a);
	assert_int_equal(budget.used, 0);
}

/* What an arena leaves behind serves others of its budget, cleared; nobody else's. */
static void
chunks_are_kept(void **state)
{
	enum { LARGE = 3 << 20, SMALL = 5000 };
	Budget budget = {0};
	Arena first, second;

	(void)state;
	arena_init(&first, &budget);
	arena_init(&second, &budget);
	for (u32 turn = 0; turn < 3; turn++) {
		memset(arena_alloc(&first, LARGE), 0xff, LARGE);
		arena_release(&first);
		assert_int_equal(atomic_load(&budget.used), 0);
		for (u32 k = 0; k < 2 * LARGE / SMALL; k++) {
			u8 *p = arena_alloc(&second, SMALL);
			assert_true(zeroed(p, SMALL));
			memset(p, 0xee, SMALL);
		}
		assert_true(atomic_load(&budget.used) >= 2 * LARGE);
		arena_release(&second);
		assert_int_equal(atomic_load(&budget.used), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(blocks_are_apart), cmocka_unit_test(chunks_are_kept),
	    cmocka_unit_test(budget_counts),    cmocka_unit_test(reserve_is_finite),
	    cmocka_unit_test(adopted),          cmocka_unit_test(reused),
	    cmocka_unit_test(strings),          cmocka_unit_test(vector),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
