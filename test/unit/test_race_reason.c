/* test_race_reason.c - each reason on the pattern that it is for, and on a racy
 * twin that must stay likely. */
#include "unit.h"

#include "base/diag.h"
#include "race/race.h"

#include <stdio.h>
#include <string.h>

#define GLOBALS                                                                                    \
	"global @g size 4\nglobal @flag size 4\nglobal @G size 8\nglobal @A size 8\n"              \
	"global @B size 8\nglobal @sem size 8\n"
#define MAIN_BEGIN "fn @main() -> int {\n\t%h = alloc.stack 8\n"
#define FORK(n, f) "\t%f" n " = fork %h, @" f ", null if zero\n"
#define MAIN(f1, f2) MAIN_BEGIN FORK("1", f1) FORK("2", f2) "\tret 0\n}\n"
#define FN(name, body) "fn @" name "(%arg: ptr) -> ptr {\n" body "}\n"
#define RET "\tret null\n"
#define WRITE "\tstore @g, i32 1\n"

static RaceResult *
analyse(Arena *a, const char *text, const RaceOptions *opt)
{
	Ir *ir = arena_new(a, Ir);
	PtaOptions pta = {0};
	ConcOptions conc = {.jobs = 1};
	Diag diag;

	ir_init(ir, a);
	diag_init(&diag, a, stderr);
	if (!ir_parse(ir, "reason.ir", text, strlen(text), &diag))
		fail_msg("%s", text);
	if (ir_check(ir))
		fail_msg("%s\n%s", ir_check(ir), text);
	diag_release(&diag);
	return race_find(a, conc_solve(a, pta_solve(a, ir, ir_find_fn(ir, "main"), &pta), &conc),
			 opt);
}

/* All races of the program have that reason and are possible; or, for no
 * reason, the best of them is at least likely. */
static void
expect(const char *text, int reason)
{
	RaceOptions opt = {.no_schedules = true};
	Arena a;
	RaceResult *r;

	arena_init(&a, NULL);
	r = analyse(&a, text, &opt);
	assert_true(r->races.n > 0);
	if (reason < 0) {
		if (r->races.at[0].rung < RUNG_LIKELY)
			fail_msg("reasons %x of\n%s", r->races.at[0].reasons, text);
	} else {
		for (u32 i = 0; i < r->races.n; i++)
			if (r->races.at[i].rung != RUNG_POSSIBLE ||
			    !(r->races.at[i].reasons & 1u << reason))
				fail_msg("race on %s is %s, reasons %x, of\n%s",
					 r->races.at[i].name, rung_name(r->races.at[i].rung),
					 r->races.at[i].reasons, text);
	}
	arena_release(&a);
}

static void
test_plain(void **state)
{
	(void)state;
	expect(GLOBALS FN("w", WRITE RET) MAIN("w", "w"), -1);
}

static void
test_volatile(void **state)
{
	static const char text[] =
	    GLOBALS FN("w", "\tstore.volatile @g, i32 1\n" RET) MAIN("w", "w");
	RaceOptions race = {.volatile_races = true}, atomic = {.volatile_atomic = true};
	Arena a;

	(void)state;
	expect(text, REASON_VOLATILE);
	arena_init(&a, NULL);
	assert_true(analyse(&a, text, &race)->races.at[0].rung >= RUNG_LIKELY);
	assert_int_equal(analyse(&a, text, &atomic)->races.n, 0);
	arena_release(&a);
}

static void
test_conditional(void **state)
{
	(void)state;
	expect(GLOBALS FN("w", "b1:\n\t%c = nondet i32\n\tcbr %c, b2, b3\n"
			       "b2:\n\tacquire @A\n\tbr b3\n"
			       "b3:\n" WRITE "\tcbr %c, b4, b5\n"
			       "b4:\n\trelease @A\n\tbr b5\n"
			       "b5:\n" RET) MAIN("w", "w"),
	       REASON_CONDITIONAL);
	expect(GLOBALS FN("w", "b1:\n\t%c = nondet i32\n\tcbr %c, b2, b3\n"
			       "b2:\n\tacquire @A\n\trelease @A\n\tbr b3\n"
			       "b3:\n" WRITE RET) MAIN("w", "w"),
	       -1);
}

static void
test_reentrant(void **state)
{
	(void)state;
	expect(GLOBALS FN("w", "\tacquire @A\n\tacquire @A\n\trelease @A\n" WRITE
			       "\trelease @A\n" RET) MAIN("w", "w"),
	       REASON_REENTRANT);
	expect(GLOBALS FN("w", "\tacquire @A\n\tacquire @A\n\trelease @A\n\trelease @A\n" WRITE RET)
		   MAIN("w", "w"),
	       -1);
}

#define MAKE                                                                                       \
	FN("make", "\t%p = alloc.heap 8\n\tstore i64 %arg, %p\n" RET)
#define USER                                                                                       \
	FN("user", "\tacquire @A\n\t%p = load ptr @G\n\tstore %p, i32 2\n\trelease @A\n" RET)
#define PUBLISH "\tacquire @A\n\tstore i64 @G, %p\n\trelease @A\n"
#define GET "\t%c = alloc.stack 8\n\t%r = call ptr @make(%c)\n\t%p = load ptr %c\n"

static void
test_initialization(void **state)
{
	(void)state;
	expect(GLOBALS MAKE USER FN("w", GET "\tstore %p, i32 1\n" PUBLISH RET) MAIN("w", "user"),
	       REASON_INITIALIZATION);
	expect(GLOBALS MAKE USER FN("w", GET PUBLISH "\tstore %p, i32 1\n" RET) MAIN("w", "user"),
	       -1);
}

#define SHARED_MAIN                                                                                \
	MAIN_BEGIN "\t%p = alloc.heap 8\n\tstore i64 @G, %p\n" FORK("1", "w") FORK("2", "w") "\tret 0\n}\n"

static void
test_unsharing(void **state)
{
	(void)state;
	expect(GLOBALS FN("w",
			  "\tacquire @A\n\t%p = load ptr @G\n\tstore i64 @G, null\n\trelease @A\n"
			  "\tstore %p, i32 1\n" RET) SHARED_MAIN,
	       REASON_UNSHARING);
	expect(GLOBALS FN("w", "\tacquire @A\n\t%p = load ptr @G\n\trelease @A\n"
			       "\tstore %p, i32 1\n" RET) SHARED_MAIN,
	       -1);
	/* unlinked, but in a critical section of its own */
	expect(GLOBALS FN("w", "\tacquire @A\n\t%p = load ptr @G\n\trelease @A\n"
			       "\tacquire @A\n\tstore i64 @G, null\n\trelease @A\n"
			       "\tstore %p, i32 1\n" RET) SHARED_MAIN,
	       -1);
}

static void
test_events(void **state)
{
	(void)state;
	expect(GLOBALS FN("a", WRITE "\tsignal.sem @sem\n\tsignal.sem @sem\n" RET)
		   FN("b", "\tawait.sem @sem\n" WRITE RET) MAIN("a", "b"),
	       REASON_NON_PARALLEL);
	/* may go on by itself */
	expect(GLOBALS FN("a", WRITE "\tsignal.sem @sem\n" RET)
		   FN("b", "\tawait.sem.try @sem\n" WRITE RET) MAIN("a", "b"),
	       -1);
	expect(GLOBALS FN("a", "\tsignal.sem @sem\n" WRITE RET)
		   FN("b", "\tawait.sem @sem\n" WRITE RET) MAIN("a", "b"),
	       -1);
	expect(GLOBALS FN("a", WRITE "\tsignal.sem @sem\n" RET)
		   FN("b", WRITE "\tawait.sem @sem\n" RET) MAIN("a", "b"),
	       -1);
}

/* One of the flags of an array, set to 1, and awaited. */
#define FLAGS "global @flags size 8\n"
#define SET "\t%i = nondet i64\n\t%p = index @flags + %i * 4\n\tstore.rel %p, i32 1\n"
#define SPIN                                                                                       \
	"b1:\n\t%i = nondet i64\n\t%p = index @flags + %i * 4\n\tbr b2\n"                          \
	"b2:\n\t%f = load.acq i32 %p\n\tcbr %f, b3, b2\nb3:\n"

static void
test_flag(void **state)
{
	(void)state;
	expect(GLOBALS FLAGS FN("a", WRITE SET RET) FN("b", SPIN WRITE RET) MAIN("a", "b"),
	       REASON_NON_PARALLEL);
	/* set too early */
	expect(GLOBALS FLAGS FN("a", SET WRITE RET) FN("b", SPIN WRITE RET) MAIN("a", "b"), -1);
	/* without any order */
	expect(GLOBALS FN("a", WRITE "\tstore.relaxed @flag, i32 1\n" RET)
		   FN("b", "b1:\n\tbr b2\nb2:\n\t%f = load.relaxed i32 @flag\n\tcbr %f, b3, b2\n"
			   "b3:\n" WRITE RET) MAIN("a", "b"),
	       -1);
	/* another loop's end */
	expect(GLOBALS FN("a", WRITE "\tstore.rel @flag, i32 1\n" RET)
		   FN("b", "b1:\n\tbr b2\nb2:\n\t%f = nondet i32\n\tcbr %f, b3, b2\n"
			   "b3:\n" WRITE RET) MAIN("a", "b"),
	       -1);
}

#define START(test)                                                                                \
	"fn @start() -> int {\nb1:\n\t%h = alloc.stack 8\n\t%s = " test                            \
	"\n\tcbr %s, b3, b2\nb2:\n" FORK("1", "w") "\tret 0\nb3:\n\tret 1\n}\n"
#define TWICE "fn @main() -> int {\n\t%a = call i32 @start()\n\t%b = call i32 @start()\n\tret 0\n}\n"

static void
test_guarded_fork(void **state)
{
	(void)state;
	expect(GLOBALS FN("w", WRITE "\tstore.relaxed @flag, i32 1\n" RET)
		   START("load.relaxed i32 @flag") TWICE,
	       REASON_NON_PARALLEL);
	/* nobody sets the flag */
	expect(GLOBALS FN("w", WRITE RET) START("load.relaxed i32 @flag") TWICE, -1);
	expect(GLOBALS FN("w", WRITE "\tstore.relaxed @flag, i32 1\n" RET) START("nondet i32")
		   TWICE,
	       -1);
}

static void
test_unlikely_alias(void **state)
{
	char text[4096], *at = text;
	static const u32 count[] = {9, 3};

	(void)state;
	for (u32 k = 0; k < COUNT(count); k++) {
		at = text + sprintf(text, "%s", GLOBALS);
		for (u32 i = 0; i < count[k]; i++)
			at += sprintf(at, "global @x%u size 4\n", i);
		at += sprintf(at, "%s%s", FN("w", "\t%p = load ptr @G\n\tstore %p, i32 1\n" RET),
			      MAIN_BEGIN);
		for (u32 i = 0; i < count[k]; i++)
			at += sprintf(at, "\tstore i64 @G, @x%u\n", i);
		sprintf(at, "%s%s\tret 0\n}\n", FORK("1", "w"), FORK("2", "w"));
		expect(text, k ? -1 : REASON_UNLIKELY_ALIAS);
	}
}

static void
test_unknown(void **state)
{
	(void)state;
	expect(GLOBALS FN("w", "\t%p = extern ptr \"f\"()\n\tstore %p, i32 1\n" RET) MAIN("w", "w"),
	       REASON_UNKNOWN);
}

#define PUBLISHER(order)                                                                           \
	FN("w", "\t%p = alloc.heap 8\n\tstore %p, i32 1\n\tstore" order " i64 @G, %p\n" RET)
#define FINDER(order) FN("f", "\t%p = load" order " ptr @G\n\t%v = load i32 %p\n" RET)

/* The race on G and, folded under it, the one on the object. */
static void
test_publication(void **state)
{
	RaceOptions opt = {.no_schedules = true};
	const RaceResult *r;
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	r = analyse(&a, GLOBALS PUBLISHER("") FINDER("") MAIN("w", "f"), &opt);
	assert_int_equal(r->races.n, 2);
	assert_string_equal(r->races.at[0].name, "G");
	assert_true(r->races.at[0].rung >= RUNG_LIKELY);
	assert_int_equal(r->races.at[1].rung, RUNG_POSSIBLE);
	assert_true(r->races.at[1].reasons & 1u << REASON_PUBLICATION);
	assert_int_equal(r->pairs.at[r->races.at[1].pair].folded_under, 1);

	r = analyse(&a, GLOBALS PUBLISHER(".relaxed") FINDER(".relaxed") MAIN("w", "f"), &opt);
	assert_int_equal(r->races.n, 1);
	assert_true(r->races.at[0].rung >= RUNG_LIKELY);
	assert_int_equal(r->pairs.at[r->races.at[0].pair].folded_under, 0);

	r = analyse(&a, GLOBALS PUBLISHER(".rel") FINDER(".acq") MAIN("w", "f"), &opt);
	assert_int_equal(r->races.n, 0);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_plain),          cmocka_unit_test(test_volatile),
	    cmocka_unit_test(test_conditional),    cmocka_unit_test(test_reentrant),
	    cmocka_unit_test(test_initialization), cmocka_unit_test(test_unsharing),
	    cmocka_unit_test(test_events),         cmocka_unit_test(test_flag),
	    cmocka_unit_test(test_guarded_fork),   cmocka_unit_test(test_unlikely_alias),
	    cmocka_unit_test(test_unknown),        cmocka_unit_test(test_publication),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
