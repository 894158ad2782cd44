/* test_phase.c - phases nest, are timed, and report progress. */
#include "unit.h"

#include "base/phase.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void
note(void *ctx, const char *phase, u64 done, u64 total)
{
	char *log = ctx;
	size_t n = strlen(log);

	snprintf(log + n, 200 - n, "%s %u/%u;", phase ? phase : "none", (u32)done, (u32)total);
}

static void
phases(void **state)
{
	struct timespec nap = {0, 20000000};
	char log[200] = "", *text;
	Phases p;
	Arena a;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	(void)state;
	arena_init(&a, NULL);
	phases_init(&p, &a, note, log);
	phase_begin(&p, "outer");
	phase_begin(&p, "inner");
	nanosleep(&nap, NULL);
	phase_progress(&p, 1, 2);
	phase_count(&p, 42, "functions");
	phase_end(&p);
	phase_end(&p);
	phase_begin(&p, "open");
	assert_string_equal(log, "outer 0/0;inner 0/0;inner 1/2;none 0/0;open 0/0;");
	assert_int_equal(p.list.n, 3);
	assert_int_equal(p.list.at[1].depth, 1);
	assert_true(p.list.at[1].wall >= 20000000);
	assert_true(p.list.at[0].wall >= p.list.at[1].wall);
	assert_true(p.list.at[1].cpu < p.list.at[1].wall);
	assert_true(p.list.at[0].peak >= p.list.at[1].peak && p.list.at[1].peak > 0);
	phases_print(&p, to);
	fclose(to);
	assert_non_null(strstr(text, "\n  inner "));
	assert_non_null(strstr(text, "  42 functions\n"));
	assert_null(strstr(text, "\nopen"));
	free(text);
	arena_release(&a);
}

static void
peak_sees_memory(void **state)
{
	enum { BIG = 64 << 20 };
	u64 before = memory_peak();
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	memset(arena_alloc(&a, BIG), 1, BIG);
	assert_true(memory_peak() >= MAX(before, (u64)BIG));
	arena_release(&a);
	assert_true(memory_peak() >= (u64)BIG);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(phases),
	    cmocka_unit_test(peak_sees_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
