/* test_threads_crew.c - threads that are analysed as one crew race wherever they did one by one,
 * on random programs of many threads that run nearly the same. */
#include "unit.h"

#include "base/diag.h"
#include "race/race.h"

#include <stdio.h>
#include <string.h>

enum { PROGRAMS = 60, THREADS = 16, PARTS = 12, TEXT = 32768 };

typedef struct Gen {
	Rand rand;
	char *text;
	size_t n;
	u32 reg;
} Gen;

__attribute__((format(printf, 2, 3))) static void
put(Gen *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	g->n += (size_t)vsnprintf(g->text + g->n, TEXT - g->n, fmt, ap);
	va_end(ap);
	assert_true(g->n < TEXT);
}

/* An access of one of four globals, under no lock or one of two. */
static void
touch(Gen *g)
{
	u32 lock = rand_below(&g->rand, 3), x = rand_below(&g->rand, 4);

	if (lock)
		put(g, "\tacquire @L%u\n", lock);
	if (rand_below(&g->rand, 2))
		put(g, "\tstore @x%u, i32 1\n", x);
	else
		put(g, "\t%%r%u = load i32 @x%u\n", g->reg++, x);
	if (lock)
		put(g, "\trelease @L%u\n", lock);
}

/* Each thread starts with a routine of its own, and then runs what all do; some wait for others. */
static const char *
make_program(Gen *g, Arena *a, u64 seed)
{
	*g = (Gen){.rand = {seed}, .text = arena_alloc(a, TEXT), .reg = 1};
	put(g, "global @L1 size 40\nglobal @L2 size 40\n");
	for (u32 i = 0; i < 4; i++)
		put(g, "global @x%u size 4\n", i);
	for (u32 i = 0; i < PARTS; i++) {
		put(g, "fn @part%u() {\n", i);
		if (rand_below(&g->rand, 3) == 0)
			touch(g);
		put(g, i + 1 < PARTS ? "\tcall @part%u()\n\tret\n}\n" : "\tret\n}\n", i + 1);
	}
	for (u32 i = 0; i < THREADS; i++) {
		put(g, "fn @run%u(%%arg: ptr) -> ptr {\n", i);
		if (rand_below(&g->rand, 2))
			touch(g);
		put(g, "\tcall @part0()\n\tret null\n}\n");
	}
	put(g, "fn @main() -> int {\n");
	for (u32 i = 0; i < THREADS; i++) {
		put(g, "\t%%h%u = alloc.stack 8\n\t%%f%u = fork %%h%u, @run%u, null\n", i, i, i, i);
		if (rand_below(&g->rand, 4) == 0)
			put(g, "\t%%t%u = load i64 %%h%u\n\t%%j%u = join %%t%u\n", i, i, i, i);
		if (rand_below(&g->rand, 4) == 0)
			touch(g);
	}
	for (u32 i = 0; seed % 3 == 0 && i < 4;
	     i++) /* unknown code knows some of them, and is started */
		put(g, "\textern \"take\"(@run%u)\n", rand_below(&g->rand, THREADS));
	if (seed % 3 == 0)
		put(g, "\t%%p = extern ptr \"get\"()\n\t%%h = alloc.stack 8\n\t%%f = fork %%h, "
		       "%%p, null\n");
	put(g, "\tret 0\n}\n");
	return g->text;
}

static RaceResult *
solve(Arena *a, const Ir *ir, u32 max_runs, u32 *joined)
{
	PtaOptions pta = {.policy = PTA_INSENSITIVE};
	ConcOptions conc = {.jobs = 1, .max_runs = max_runs};
	static const RaceOptions opt;
	const Conc *c = conc_solve(a, pta_solve(a, ir, ir_find_fn(ir, "main"), &pta), &conc);

	*joined = c->threads->joined;
	assert_int_equal(c->threads->bounded, *joined != 0);
	for (u32 i = 0; i < c->accesses.n; i++) {
		ThreadId t = conc_thread(c, &c->accesses.at[i]);
		assert_int_equal(thread_get(c->threads, t)->crew, c->accesses.at[i].thread);
	}
	return race_find(a, c, &opt);
}

static void
test_crews(void **state)
{
	u32 races = 0;

	(void)state;
	for (u64 seed = 1; seed <= PROGRAMS; seed++) {
		Arena a;
		Gen g;
		Ir ir;
		Diag diag;
		RaceResult *apart, *crews;
		u32 joined;

		arena_init(&a, NULL);
		ir_init(&ir, &a);
		diag_init(&diag, &a, stderr);
		make_program(&g, &a, seed);
		if (!ir_parse(&ir, "random.ir", g.text, strlen(g.text), &diag) || ir_check(&ir))
			fail_msg("%s", g.text);
		diag_release(&diag);
		apart = solve(&a, &ir, 0, &joined);
		assert_int_equal(joined, 0);
		crews = solve(&a, &ir, 1, &joined);
		assert_true(joined > THREADS / 4); /* the more a crew runs, the fewer are alike */
		for (InsId x = 1; x < ir.ins.n; x++)
			for (InsId y = x; y < ir.ins.n; y++) {
				races += race_pair_rung(apart, x, y) > RUNG_EXCLUDED;
				if (race_pair_rung(apart, x, y) > race_pair_rung(crews, x, y) &&
				    race_pair_rung(apart, x, y) < RUNG_DEFINITE)
					fail_msg("%u %u of\n%s", x, y, g.text);
			}
		arena_release(&a);
	}
	assert_true(races > PROGRAMS); /* the programs are not all harmless */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_crews)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
