/* test_interleave_class.c - programs with known answers: monitors, exceptions,
 * virtual calls, class initialisers, final fields, Java's joins. */
#include "interleave_case.h"

#define FORK(h, f) " %" h " = fork.handle none, @" f ", null\n"

/* Classes P with m = 1, and Q, below it, with m = 2; and K with an initialiser. */
#define CLASSES                                                                                    \
	"type t1 = int \"int\" size 4\n"                                                          \
	"type t2 = class \"P\" size 16\ntype t3 = class \"Q\" size 16\n"                          \
	"class c1 = \"P\" { field f1: t1 \"x\" method @\"P.m()V\" }\n"                            \
	"class c2 = \"Q\" super c1 { method @\"Q.m()V\" }\n"                                      \
	"class c3 = \"K\" cinit @\"K.<clinit>()V\" {\n}\n"                                        \
	"fn @\"P.m()V\"(%this: ptr) class c1 {\n store @g, 1 #1\n ret\n}\n"                       \
	"fn @\"Q.m()V\"(%this: ptr) class c2 {\n store @x, 2 #2\n ret\n}\n"

#define INIT(body) "fn @\"K.<clinit>()V\"() cinit class c3 {\n" body " ret\n}\n"
#define NO_INIT INIT("")

static void
virtual_calls(void **state)
{
	(void)state;
	races(CLASSES NO_INIT
	      "fn @w(%p: ptr) {\n store @g, 3 #3\n store @x, 4 #4\n ret\n}\n"
	      "fn @main() {\n %o = alloc.heap 16 type t3\n" FORK(
		  "h", "w") " call.virtual @\"P.m()V\"(%o) method \"m()V\"\n ret\n}\n",
	      "2/4!");
	races(CLASSES NO_INIT
	      "fn @w(%p: ptr) {\n store @g, 3 #3\n store @x, 4 #4\n ret\n}\n"
	      "fn @main() {\n %o = alloc.heap 16 type t2\n" FORK(
		  "h", "w") " call.virtual @\"P.m()V\"(%o) method \"m()V\"\n ret\n}\n",
	      "1/3!");
}

static void
virtual_fork(void **state)
{
	(void)state;
	races(CLASSES NO_INIT "fn @main() {\n %o = alloc.heap 16 type t3\n"
			      " %h = fork.virtual.handle none, @\"P.m()V\", %o method \"m()V\"\n"
			      " store @g, 3 #3\n store @x, 4 #4\n ret\n}\n",
	      "2/4!");
}

/* An exception leaves the section: with the release in its handler, or without. */
static void
monitor_and_exception(void **state)
{
	const char *program =
	    "fn @w(%%p: ptr) {\nentry: exc handler\n acquire.rec @A\n call.throws @may()\n"
	    " store @g, 1 #1\n release.rec @A\n ret\n"
	    "handler:\n%s store @x, 1 #2\n ret\n}\n"
	    "fn @may() {\nentry:\n %%c = nondet i1\n cbr %%c, bad, good\ngood:\n ret\nbad:\n "
	    "throw\n}\n"
	    "fn @main() {\n %%h = fork.handle none, @w, null\n acquire.rec @A\n store @g, 2 #3\n "
	    "store @x, 2 #4\n"
	    " release.rec @A\n ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(arena_printf(&a, program, " release.rec @A\n"), "2/4!");
	races(arena_printf(&a, program, ""), "");
	arena_release(&a);
}

static void
uncaught_exceptions(void **state)
{
	(void)state;
	/* It ends its thread; what the call said it would not throw goes nowhere. */
	races("fn @w(%p: ptr) {\n store @g, 1 #1\n throw\n}\n"
	      "fn @main() {\n" FORK("h", "w") " join %h\n store @g, 2 #2\n ret\n}\n",
	      "");
	races("fn @may() {\n throw\n}\nfn @w(%p: ptr) {\n call.throws @may()\n store @g, 1 #1\n "
	      "ret\n}\n"
	      "fn @main() {\n" FORK("h", "w") " store @g, 2 #2\n ret\n}\n",
	      "");
	/* The handler gets what was thrown. */
	races("fn @w(%p: ptr) {\nentry: exc bad\n throw @x\nbad:\n %e = nondet.caught ptr\n"
	      " store %e, 1 #1\n ret\n}\n"
	      "fn @main() {\n" FORK("h", "w") " store @x, 2 #2\n ret\n}\n",
	      "1/2!");
}

static void
initialiser_comes_first(void **state)
{
	(void)state;
	races(CLASSES INIT(
		  " store @g, 1 #3\n") "fn @w(%p: ptr) {\n cinit class c3\n %v = load @g "
				       "#4\n ret\n}\n"
				       "fn @main() {\n" FORK(
					   "h", "w") " cinit class c3\n %v = load @g #5\n ret\n}\n",
	      "");
	races(CLASSES INIT(
		  " store @g, 1 #3\n") "fn @w(%p: ptr) {\n %v = load @g #4\n ret\n}\n"
				       "fn @main() {\n" FORK(
					   "h", "w") " cinit class c3\n %v = load @g #5\n ret\n}\n",
	      "3/4!");
}

/* The thread that runs it passes, and a failed one throws at every use. */
static void
initialiser_again(void **state)
{
	(void)state;
	races(CLASSES INIT(
		  " cinit class c3\n store @g, 1 #3\n") "fn @w(%p: ptr) {\n cinit class "
							"c3\n store @g, 2 #4\n ret\n}\n"
							"fn @main() {\n" FORK(
							    "h", "w") " cinit class c3\n store @g, "
								      "3 #5\n ret\n}\n",
	      "4/5!");
	races(CLASSES INIT(" cbr 1, a, b\na:\n throw\nb:\n") "fn @w(%p: ptr) {\n cinit class c3\n "
							     "store @g, 2 #4\n ret\n}\n"
							     "fn @main() {\n" FORK(
								 "h",
								 "w") " store @g, 3 #5\n ret\n}\n",
	      "");
}

/* A final field, read through a racy reference; and with `this` leaked. */
static void
final_fields(void **state)
{
	const char *program =
	    "fn @new(%%this: ptr) constructor {\n%s %%p = field %%this + 4\n store.final %%this, 1 "
	    "#1\n store %%p, 1 #2\n ret\n}\n"
	    "fn @w(%%p: ptr) {\nentry:\n %%o = load ptr @G #3\n %%c = ne ptr %%o, null\n"
	    " cbr %%c, some, none\nsome:\n %%v = load %%o #4\n %%q = field %%o + 4\n"
	    " %%u = load %%q #5\n ret\nnone:\n ret\n}\n"
	    "fn @main() {\n %%h = fork.handle none, @w, null\n %%o = alloc.heap 8\n call "
	    "@new(%%o)\n"
	    " store ptr @G, %%o #6\n ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(arena_printf(&a, program, ""), "2/5 3/6!");
	races(arena_printf(&a, program, " store ptr @G, %this #7\n"), "1/4! 2/5! 3/6! 3/7!");
	arena_release(&a);
}

#define SET_G "fn @w(%p: ptr) {\n store @g, 1 #1\n ret\n}\n"

static void
joins_of_java(void **state)
{
	(void)state;
	/* Twice, by two threads. */
	races(SET_G "fn @v(%h: i64) {\n join.rec %h\n store @g, 3 #3\n ret\n}\n"
		    "fn @main() {\n" FORK("h", "w") " %i = fork.handle none, @v, %h\n join.rec %h\n"
						    " join.rec %h\n store @g, 2 #2\n ret\n}\n",
	      "2/3!");
	/* Before the start. */
	races(SET_G "fn @main() {\n join.rec 0\n" FORK("h", "w") " store @g, 2 #2\n ret\n}\n",
	      "1/2!");
	/* Interrupted. */
	races(SET_G "fn @main() {\nentry:\n" FORK(
		  "h",
		  "w") " br wait\nwait: exc bad\n join.rec.throws %h\n br on\nbad:\n br on\non:\n"
		       " store @g, 2 #2\n ret\n}\n",
	      "1/2!");
	races(
	    SET_G "fn @main() {\nentry:\n" FORK(
		"h", "w") " br wait\nwait: exc bad\n join.rec.throws %h\n br on\nbad:\n ret\non:\n"
			  " store @g, 2 #2\n ret\n}\n",
	    "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(virtual_calls),
	    cmocka_unit_test(virtual_fork),
	    cmocka_unit_test(monitor_and_exception),
	    cmocka_unit_test(uncaught_exceptions),
	    cmocka_unit_test(initialiser_comes_first),
	    cmocka_unit_test(initialiser_again),
	    cmocka_unit_test(final_fields),
	    cmocka_unit_test(joins_of_java),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
