/* test_diag.c - diagnostics are counted, kept and printed, from any thread. */
#include "unit.h"

#include "base/diag.h"
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

static void
complain(void *ctx, u32 i, u32 worker)
{
	(void)worker;
	if (i % 2)
		diag_error((Diag *)ctx, "f.c", "number %u", i);
	else
		diag_at(ctx, DIAG_WARNING, NULL, 0, 0, "number %u", i);
}

/* Diagnostics may come from all workers at once; none gets lost. */
static void
from_all_workers(void **state)
{
	enum { N = 1000 };
	bool seen[N] = {0};
	Arena a, b;
	Diag d;
	Pool *p;

	(void)state;
	arena_init(&a, NULL);
	arena_init(&b, NULL);
	diag_init(&d, &b, NULL);
	p = pool_new(&a, 4);
	pool_run(p, N, complain, &d);
	pool_release(p);
	assert_int_equal(d.errors, N / 2);
	assert_int_equal(d.warnings, N / 2);
	assert_int_equal(d.msgs.n, N);
	for (u32 i = 0; i < N; i++) {
		u32 k = (u32)strtoul(d.msgs.at[i].text + strlen("number "), NULL, 10);
		assert_false(seen[k]);
		seen[k] = true;
		assert_int_equal(d.msgs.at[i].level, k % 2 ? DIAG_ERROR : DIAG_WARNING);
	}
	diag_release(&d);
	arena_release(&a);
	arena_release(&b);
}

static void
printed(void **state)
{
	char *text;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	Arena a;
	Diag d;

	(void)state;
	arena_init(&a, NULL);
	diag_init(&d, &a, to);
	diag_at(&d, DIAG_ERROR, "a.c", 3, 7, "no %s", "x");
	diag_at(&d, DIAG_WARNING, "a.c", 3, 0, "w");
	diag_at(&d, DIAG_NOTE, NULL, 0, 0, "n");
	fclose(to);
	assert_string_equal(text, "a.c:3:7: error: no x\na.c:3: warning: w\nconcord: note: n\n");
	free(text);
	diag_release(&d);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(from_all_workers),
	    cmocka_unit_test(printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
