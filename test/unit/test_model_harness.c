/* test_model_harness.c - the root function that runs a program. */
#include "model_case.h"

#include "conc/harness.h"

static const char *const EVERY[] = {"*"};

static const char library[] = "type t1 = int \"int\" size 4\n"
			      "type t2 = struct \"struct job\" size 24 {\n"
			      "\t0: t1 \"id\"\n\t8: t3 \"next\"\n\t16: t5 \"owner\"\n}\n"
			      "type t3 = ptr size 8 elem t2\n"
			      "type t4 = struct \"struct user\" size 4 {\n\t0: t1 \"id\"\n}\n"
			      "type t5 = ptr size 8 elem t4\n"
			      "fn @set(%p: ptr, %v: i32) {\n"
			      "\t%f = field %p + 8 type t2\n\tstore ptr %f, %p\n\tret\n}\n"
			      "fn @make() -> ptr {\n\t%p = alloc.heap 24\n\tcall @set(%p, 1)\n"
			      "\tret ptr %p\n}\n"
			      "fn @pass(%q: ptr) {\n\tcall @set(%q, 2)\n\tret\n}\n"
			      "fn internal @hidden(%q: ptr) {\n\tret\n}\n"
			      "fn internal @before() constructor {\n\tret\n}\n"
			      "fn internal @after() destructor {\n\tret\n}\n";

static FnId
build(Case *c, const char *program, const HarnessOptions *o)
{
	const char *wrong;
	FnId root;

	case_begin(c);
	case_apply(c, program);
	root = harness_build(&c->out, o, &c->diag);
	wrong = ir_check(&c->out);
	if (wrong)
		fail_msg("%s", wrong);
	return root;
}

static void
expect_error(const char *program, const HarnessOptions *o, const char *message)
{
	Case c;

	assert_int_equal(build(&c, program, o), 0);
	assert_int_equal(c.diag.msgs.n, 1);
	assert_string_equal(c.diag.msgs.at[0].text, message);
	case_end(&c);
}

static void
test_closed(void **state)
{
	Case c;
	FnId root = build(&c,
			  "fn internal @before() constructor {\n\tret\n}\n"
			  "fn internal @after() destructor {\n\tret\n}\n"
			  "fn @main(%argc: i32, %argv: ptr) -> int {\n\tret i32 0\n}\n",
			  &(HarnessOptions){0});

	(void)state;
	assert_int_not_equal(root, 0);
	assert_true(c.out.fns.at[root].flags & FN_SYNTHETIC);
	assert_string_equal(
	    case_body(&c, "harness.root"),
	    "b1:\n call @before()\n %1 = nondet\n %2 = alloc.heap\n %3 = alloc.heap\n"
	    " %4 = nondet i64\n %5 = index %2 + %4 * 8\n store w64 %5, %3\n"
	    " call @main(%1, %2)\n call @after()\n ret\n");
	case_end(&c);
}

static void
test_main_alone(void **state)
{
	Case c;

	(void)state;
	assert_int_not_equal(
	    build(&c, "fn @main() -> int {\n\tret i32 0\n}\n", &(HarnessOptions){0}), 0);
	assert_string_equal(case_body(&c, "harness.root"), "b1:\n call @main()\n ret\n");
	case_end(&c);
}

/* Parameters of one struct share a cell, found by use or through calls; what
 * the struct points to is there too. */
static void
test_open(void **state)
{
	Case c;

	(void)state;
	assert_int_not_equal(build(&c, library, &(HarnessOptions){.open = EVERY, .nopen = 1}), 0);
	assert_string_equal(case_body(&c, "harness.caller"),
			    "b1:\n br b2\nb2:\n %1 = nondet\n switch %1, b3 [0: b4, 1: b5, 2: b6]\n"
			    "b3:\n ret\n"
			    "b4:\n %2 = load.acq ptr @harness.2\n %3 = nondet\n call @set(%2, %3)\n"
			    " br b2\n"
			    "b5:\n %4 = call ptr @make()\n store.rel w64 @harness.2, %4\n br b2\n"
			    "b6:\n %5 = load.acq ptr @harness.2\n call @pass(%5)\n br b2\n");
	assert_string_equal(case_body(&c, "harness.root"),
			    "b1:\n call @before()\n br b2\n"
			    "b2:\n %1 = alloc.heap type t2\n %2 = alloc.heap type t4\n"
			    " %3 = field %1 + 8 type t2\n store w64 %3, %1\n"
			    " %4 = field %1 + 16 type t2\n store w64 %4, %2\n"
			    " store.rel w64 @harness.2, %1\n store.rel w64 @harness.4, %2\n"
			    " %5 = nondet i1\n cbr %5, b2, b3\n"
			    "b3:\n br b4\n"
			    "b4:\n fork none, @harness.caller if any\n %6 = nondet i1\n"
			    " cbr %6, b4, b5\n"
			    "b5:\n call @after()\n ret\n");
	assert_int_equal(c.out.assumes.n, 2);
	case_end(&c);
}

/* Entries run one after the other, internal ones too. */
static void
test_entries(void **state)
{
	static const char *const names[] = {"pass", "hidden"};
	Case c;

	(void)state;
	assert_int_not_equal(build(&c, library, &(HarnessOptions){.entries = names, .nentry = 2}),
			     0);
	assert_non_null(strstr(case_body(&c, "harness.root"),
			       " %7 = load.acq ptr @harness.2\n call @pass(%7)\n"
			       " %8 = load.acq ptr @harness.0\n call @hidden(%8)\n"
			       " call @after()\n ret\n"));
	case_end(&c);
}

static void
test_nothing_to_run(void **state)
{
	static const char *const names[] = {"sett"}, *const declared[] = {"f"};
	static const char many[] = "fn @a() {\n\tret\n}\nfn @b() {\n\tret\n}\nfn @c() {\n\tret\n}\n"
				   "fn @d() {\n\tret\n}\nfn @e() {\n\tret\n}\nfn @g() {\n\tret\n}\n"
				   "fn @h() {\n\tret\n}\n";

	(void)state;
	expect_error(library, &(HarnessOptions){0},
		     "the program has no main: give --entry FUNC to start at a function, or --open "
		     "to let all external functions run in parallel; it defines set, make, pass");
	expect_error(
	    many, &(HarnessOptions){0},
	    "the program has no main: give --entry FUNC to start at a function, or --open "
	    "to let all external functions run in parallel; it defines a, b, c, d, e and 2 "
	    "more");
	expect_error("global @g size 4\n", &(HarnessOptions){0},
		     "the program has no main, nor any other external function");
	expect_error(
	    "global @g size 4\n", &(HarnessOptions){.open = EVERY, .nopen = 1},
	    "--open: the program defines no external function, and no external global names one");
	expect_error(library, &(HarnessOptions){.entries = names, .nentry = 1},
		     "--entry sett: the program has no such function; it defines set, make, pass");
	expect_error(
	    "declare @f(1)\n", &(HarnessOptions){.entries = declared, .nentry = 1},
	    "--entry f: the program declares but does not define this function; it defines "
	    "no external function");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_closed),         cmocka_unit_test(test_main_alone),
	    cmocka_unit_test(test_open),           cmocka_unit_test(test_entries),
	    cmocka_unit_test(test_nothing_to_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
