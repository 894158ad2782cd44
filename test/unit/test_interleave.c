/* test_interleave.c - programs with known answers: order, cells, adjacency,
 * and the steps of the machine.  Publication and locks are in
 * test_interleave_memory.c. */
#include "interleave_case.h"

/* ---- order --------------------------------------------------------------- */

#define SET_G "fn @w(%p: ptr) {\n store @g, 1 #1\n ret\n}\n"
#define FORK(h, f) " %" h " = fork.handle none, @" f ", null\n"

static void
joining_a_parent_does_not_join_its_child(void **state)
{
	(void)state;
	races("fn @main() {\n" FORK("h", "p") " join %h\n store @g, 2 #2\n ret\n}\n"
					      "fn @p(%x: ptr) {\n" FORK(
						  "h", "w") " detach %h\n ret\n}\n" SET_G,
	      "1/2!");
	races("fn @main() {\n" FORK("h", "p") " join %h\n store @g, 2 #2\n ret\n}\n"
					      "fn @p(%x: ptr) {\n" FORK(
						  "h", "w") " join %h\n ret\n}\n" SET_G,
	      "");
}

static void
worker_and_the_child_of_another(void **state)
{
	(void)state;
	races("fn @main() {\n" FORK("h", "p")
		  FORK("i", "p") " ret\n}\n"
				 "fn @p(%x: ptr) {\n store @g, 1 #1\n" FORK(
				     "h", "c") " ret\n}\n"
					       "fn @c(%x: ptr) {\n %v = load @g #2\n ret\n}\n",
	      "1/1! 1/2!");
}

static void
start_and_stop(void **state)
{
	const char *head = "fn @w(%p: ptr) {\n acquire @A\n %v = load @g #1\n store @g, 3 #2\n "
			   "release @A\n ret\n}\n"
			   "fn @main() {\n" FORK("h", "w") " join %h\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(arena_printf(&a, "%s%s", head, FORK("i", "w") " store @g, 1 #3\n join %i\n ret\n}\n"),
	      "1/3! 2/3!");
	races(arena_printf(&a, "%s%s", head,
			   " store @g, 0 #3\n" FORK("i", "w") " join %i\n ret\n}\n"),
	      "");
	arena_release(&a);
}

/* for (k < 2) { g = k; create two; join two or one } */
static void
phases(void **state)
{
	const char *loop =
	    "fn @w(%%p: ptr) {\n %%v = load @g #1\n ret\n}\n"
	    "fn @main() {\nentry:\n br head\nhead:\n %%k = phi [entry: 0], [body: %%k2]\n"
	    " %%more = slt i32 %%k, 2\n cbr %%more, body, out\nbody:\n store @g, %%k #2\n"
	    " %%i = fork.handle none, @w, null\n %%j = fork.handle none, @w, null\n join %%i\n%s"
	    " %%k2 = add %%k, 1\n br head\nout:\n ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(arena_printf(&a, loop, " join %j\n"), "");
	races(arena_printf(&a, loop, ""), "1/2!");
	arena_release(&a);
}

static void
one_handle_for_two_threads(void **state)
{
	(void)state;
	races(SET_G "fn @main() {\n fork @h, @w, null #3\n fork @h, @w, null #4\n %h = load i64 "
		    "@h\n join %h\n"
		    " store @g, 2 #2\n ret\n}\n",
	      "1/1! 1/2!");
	races("fn @c(%p: ptr) {\n store @g, 2 #1\n ret\n}\n"
	      "fn @w(%p: ptr) {\n fork @h, @c, null #3\n %h = load i64 @h #4\n join %h\n store @g, "
	      "1 #2\n ret\n}\n"
	      "fn @main() {\n" FORK("i", "w") FORK("j", "w") " ret\n}\n",
	      "1/1! 1/2! 2/2! 3/3! 3/4!");
}

static void
handle_chosen(void **state)
{
	const char *text =
	    "fn @v(%%p: ptr) {\n store @g, 1 #1\n ret\n}\nfn @w(%%p: ptr) {\n store @g, 2 #2\n "
	    "ret\n}\n"
	    "fn @main() {\n %%i = fork.handle none, @v, null\n%s %%j = fork.handle none, @w, null\n"
	    " %%c = nondet i1\n %%h = select i64 %%c, %%i, %%j\n join %%h\n store @g, 3 #3\n "
	    "ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(arena_printf(&a, text, ""), "1/2! 1/3! 2/3!");
	/* joining again is undefined, so what goes on has joined both */
	races(arena_printf(&a, text, " join %i\n"), "");
	arena_release(&a);
}

static void
joined_by_a_sibling(void **state)
{
	(void)state;
	races("fn @v(%p: ptr) {\n store @g, 2 #1\n ret\n}\nfn @y(%p: ptr) {\n %h = load i64 @h\n "
	      "join %h\n store @g, 1 #2\n"
	      " ret\n}\nfn @main() {\n fork @h, @v, null #3\n" FORK("j", "y") " ret\n}\n",
	      "");
}

static void
wrapped_fork(void **state)
{
	(void)state;
	races("fn @thr(%f: ptr) -> i64 {\n %h = fork.handle none, %f, null\n ret %h\n}\n" SET_G
	      "fn @v(%p: ptr) {\n store @g, 2 #2\n ret\n}\n"
	      "fn @main() {\n %i = call i64 @thr(@w)\n join %i\n %j = call i64 @thr(@v)\n ret\n}\n",
	      "");
	races("fn @thr(%f: ptr) -> i64 {\n %h = fork.handle none, %f, null\n ret %h\n}\n" SET_G
	      "fn @v(%p: ptr) {\n store @g, 2 #2\n ret\n}\n"
	      "fn @main() {\n %i = call i64 @thr(@w)\n %j = call i64 @thr(@v)\n join %i\n ret\n}\n",
	      "1/2!");
}

static void
failed_create(void **state)
{
	(void)state;
	races(SET_G "fn @main() {\nb1:\n %r = fork @h, @w, null if zero\n %bad = ne i32 %r, 0\n "
		    "cbr %bad, b2, b3\n"
		    "b2:\n store @g, 3 #3\n ret\nb3:\n %h = load i64 @h\n join %h\n store @g, 2 "
		    "#2\n ret\n}\n",
	      "");
	races(SET_G "fn @main() {\n %r = fork @h, @w, null if zero\n store @g, 2 #2\n ret\n}\n",
	      "1/2!");
}

static void
join_sometimes(void **state)
{
	(void)state;
	races(SET_G "fn @main() {\nb1:\n" FORK(
		  "h", "w") " %c = nondet i1\n cbr %c, b2, b3\nb2:\n join %h\n br b3\nb3:\n"
			    " store @g, 2 #2\n ret\n}\n",
	      "1/2!");
	races(SET_G "fn @main() {\n" FORK(
		  "h", "w") " %r = join.try %h if zero\n store @g, 2 #2\n ret\n}\n",
	      "1/2!");
	races(SET_G "fn @main() {\nb1:\n" FORK(
		  "h", "w") " %r = join.try %h if zero\n %c = eq i32 %r, 0\n cbr %c, b2, b3\n"
			    "b2:\n store @g, 2 #2\n br b3\nb3:\n ret\n}\n",
	      "");
}

static void
one_after_the_other(void **state)
{
	(void)state;
	races("fn @w(%p: ptr) {\n %v = load @g #1\n %w = add %v, 1\n store @g, %w #2\n ret\n}\n"
	      "fn @main() {\n" FORK("i", "w") " join %i\n" FORK("j", "w") " join %j\n ret\n}\n",
	      "");
}

/* ---- cells --------------------------------------------------------------- */

static void
overlapping_bytes(void **state)
{
	(void)state;
	races("fn @w(%p: ptr) {\n store w64 @a, 1 #1\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " %v = load @a[4] #2\n"
			    " %w = load @a[8] #3\n ret\n}\n",
	      "1/2!");
	races("fn @w(%p: ptr, %i) {\n %q = index @a + %i * 1\n store %q, 1 #1\n ret\n}\n"
	      "fn @main() {\n %h = fork.handle none, @w, null, 0\n %j = fork.handle none, @w, "
	      "null, 3\n ret\n}\n",
	      "1/1!");
	races("fn @w(%p: ptr, %i) {\n %q = index @a + %i * 1\n store %q, 1 #1\n ret\n}\n"
	      "fn @main() {\n %h = fork.handle none, @w, null, 0\n %j = fork.handle none, @w, "
	      "null, 4\n ret\n}\n",
	      "");
}

static void
neighbours(void **state)
{
	const char *text =
	    "fn @w(%%p: ptr, %%i) {\n %%q = index @a + %%i * 4\n %%k = add %%i, %s\n"
	    " %%r = index @a + %%k * 4\n %%v = load %%r #1\n store %%q, %%v #2\n ret\n}\n"
	    "fn @main() {\n %%h = fork.handle none, @w, null, 0\n %%j = fork.handle none, @w, "
	    "null, 1\n ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(arena_printf(&a, text, "1"), "1/2!");
	races(arena_printf(&a, text, "0"), "");
	arena_release(&a);
}

static void
reused_numbers(void **state)
{
	const char *text = "fn @w(%%p: ptr) {\n %%i = rmw.add.seq_cst @n, 1\n %%q = index @a + %%i "
			   "* 4\n store %%q, 1 #1\n%s"
			   " ret\n}\nfn @main() {\n"
			   " %%h = fork.handle none, @w, null\n %%j = fork.handle none, @w, null\n"
			   " %%k = fork.handle none, @w, null\n ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(arena_printf(&a, text, " %o = rmw.sub.relaxed @n, 1\n"), "1/1!");
	races(arena_printf(&a, text, ""), "");
	arena_release(&a);
	races("fn @w(%p: ptr) {\n acquire @A\n %i = load @n #2\n release @A\n acquire @A\n %j = "
	      "load @n #3\n %k = add %j, 1\n"
	      " store @n, %k #4\n release @A\n %q = index @a + %i * 4\n store %q, 1 #1\n ret\n}\n"
	      "fn @main() {\n" FORK("h", "w") FORK("j", "w") " ret\n}\n",
	      "1/1!");
}

static void
bytes_at_once(void **state)
{
	(void)state;
	races("fn @w(%p: ptr) {\n writen @a, 8 #1\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " readn @a[7], 4 #2\n readn @a[8], 4 #3\n bcopy @a[16], @a[4], 8 #4\n "
			    "bcopy @a[4], @a[16], 4 #5\n ret\n}\n",
	      "1/2! 1/4! 1/5!");
}

/* ---- adjacency ----------------------------------------------------------- */

static void
straight_line(void **state)
{
	(void)state;
	races("fn @w(%p: ptr) {\n store @x, 6 #1\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " store @x, 2 #2\n ret\n}\n",
	      "1/2!");
}

static void
never_both_at_once(void **state)
{
	(void)state;
	/* a relaxed flag orders nothing, yet in every run one comes first */
	races("fn @w(%p: ptr) {\n store @x, 1 #1\n store.relaxed @f, 1\n ret\n}\nfn @main() "
	      "{\nb1:\n" FORK("h", "w") " br b2\n"
					"b2:\n %v = load.relaxed @f\n %c = ne i32 %v, 0\n cbr %c, "
					"b3, b2\nb3:\n store @x, 2 #2\n ret\n}\n",
	      "1/2");
	/* main holds the lock until the end: the thread cannot arrive */
	races("fn @w(%p: ptr) {\n acquire @A\n store @g, 1 #1\n ret\n}\nfn @main() {\n acquire "
	      "@A\n" FORK("h", "w") " store @g, 2 #2\n join %h\n ret\n}\n",
	      "");
}

static void
waiting(void **state)
{
	const char *flag =
	    "fn @w(%p: ptr) {\n store @x, 1 #1\n acquire @A\n store @f, 1 #3\n release @A\n "
	    "ret\n}\n"
	    "fn @main() {\nb1:\n" FORK(
		"h", "w") " br b2\nb2:\n acquire @A\n %v = load @f #4\n release @A\n"
			  " %c = ne i32 %v, 0\n cbr %c, b3, b2\nb3:\n store @x, 2 #2\n ret\n}\n";

	(void)state;
	races("fn @w(%p: ptr) {\n store @x, 1 #1\n signal.sem @sem\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " await.sem @sem\n store @x, 2 #2\n ret\n}\n",
	      "");
	races("fn @w(%p: ptr) {\n store @x, 1 #1\n signal.sem @sem\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " await.sem.try @sem\n store @x, 2 #2\n ret\n}\n",
	      "1/2!");
	races("fn @w(%p: ptr) {\n store @x, 1 #1\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " await.sem @sem\n store @x, 2 #2\n ret\n}\n",
	      "");
	races("fn @w(%p: ptr) {\n store @x, 1 #1\n ret\n}\nfn @main() {\nb1:\n" FORK(
		  "h", "w") " br b2\nb2:\n %v = load @n\n"
			    " %c = eq i32 %v, 0\n cbr %c, b2, b3\nb3:\n store @x, 2 #2\n ret\n}\n",
	      "");
	races(flag, "");
}

static void
conditions(void **state)
{
	(void)state;
	/* the signal is lost if nobody waits yet, and then nobody goes on */
	races("fn @w(%p: ptr) {\n store @x, 1 #1\n signal.cond @sem\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " await.cond @sem\n store @x, 2 #2\n ret\n}\n",
	      "");
	races("fn @w(%p: ptr) {\n store @x, 1 #1\n signal.cond @sem\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " await.cond.try @sem\n store @x, 2 #2\n ret\n}\n",
	      "1/2!");
	/* after signal, the signaller's later write is not ordered */
	races("fn @w(%p: ptr) {\n signal.cond @sem\n store @x, 1 #1\n ret\n}\nfn @main() {\n" FORK(
		  "h", "w") " await.cond @sem\n store @x, 2 #2\n ret\n}\n",
	      "1/2!");
}

/* Answers that only some orders of locks and signals give. */
static void
order_of_synchronisation(void **state)
{
	(void)state;
	races("fn @v(%p: ptr) {\n acquire @A\n store @f, 1\n release @A\n ret\n}\n"
	      "fn @w(%p: ptr) {\nb1:\n acquire @A\n %v = load @f\n %c = eq i32 %v, 0\n cbr %c, b2, "
	      "b3\nb2:\n store @x, 1 #1\n"
	      " br b3\nb3:\n release @A\n ret\n}\n"
	      "fn @main() {\n" FORK("h", "v") FORK("i", "w") " store @x, 2 #2\n ret\n}\n",
	      "1/2!");
	races("fn @v(%p: ptr) {\n store @x, 1 #1\n signal.sem @sem\n ret\n}\nfn @w(%p: ptr) {\n "
	      "signal.sem @sem\n ret\n}\n"
	      "fn @main() {\n" FORK("h", "v")
		  FORK("i", "w") " await.sem @sem\n store @x, 2 #2\n ret\n}\n",
	      "1/2!");
	races("fn @v(%p: ptr) {\n store @x, 1 #1\n signal.sem @sem\n ret\n}\nfn @w(%p: ptr) {\n "
	      "signal.sem @sem\n ret\n}\n"
	      "fn @main() {\n" FORK("h", "v")
		  FORK("i", "w") " await.sem @sem\n await.sem @sem\n store @x, 2 #2\n ret\n}\n",
	      "");
}

/* ---- ends of runs and bounds --------------------------------------------- */

static void
runs_end(void **state)
{
	(void)state;
	races(SET_G "fn @main() {\n" FORK("h", "w") " assume 0\n store @g, 2 #2\n ret\n}\n", "");
	races(SET_G "fn @main() {\n" FORK("h", "w") " %v = load null\n store @g, 2 #2\n ret\n}\n",
	      "");
	races(SET_G "fn @main() {\n" FORK("h", "w") " release @A\n store @g, 2 #2\n ret\n}\n", "");
	races(SET_G "fn @main() {\n" FORK(
		  "h", "w") " acquire @A\n acquire @A\n store @g, 2 #2\n ret\n}\n",
	      "");
	races(SET_G "fn @main() {\n" FORK(
		  "h", "w") " acquire.rec @A\n acquire.rec @A\n store @g, 2 #2\n ret\n}\n",
	      "1/2!");
	races(SET_G "fn @main() {\nb1:\n" FORK(
		  "h", "w") " %c = nondet i1\n cbr %c, b2, b3\nb2:\n exit\nb3:\n store @g, 2 #2\n"
			    " ret\n}\n",
	      "1/2!");
}

static void
bounds_are_told(void **state)
{
	Arena a;
	Ir ir;
	InterleaveResult r = {.arena = &a};

	(void)state;
	arena_init(&a, NULL);
	case_parse(
	    &ir, &a,
	    "fn @main() {\nb1:\n br b2\nb2:\n %h = fork.handle none, @w, null\n br b2\n}\n" SET_G);
	assert_false(interleave_run(&ir, ir_find_fn(&ir, "main"), &interleave_defaults, &r));
	assert_string_equal(r.why, "too many threads");
	case_parse(&ir, &a, "fn @main() {\n call @main()\n ret\n}\n");
	assert_false(interleave_run(&ir, ir_find_fn(&ir, "main"), &interleave_defaults, &r));
	assert_string_equal(r.why, "recursion too deep");
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(joining_a_parent_does_not_join_its_child),
	    cmocka_unit_test(worker_and_the_child_of_another),
	    cmocka_unit_test(start_and_stop),
	    cmocka_unit_test(phases),
	    cmocka_unit_test(one_handle_for_two_threads),
	    cmocka_unit_test(handle_chosen),
	    cmocka_unit_test(joined_by_a_sibling),
	    cmocka_unit_test(wrapped_fork),
	    cmocka_unit_test(failed_create),
	    cmocka_unit_test(join_sometimes),
	    cmocka_unit_test(one_after_the_other),
	    cmocka_unit_test(overlapping_bytes),
	    cmocka_unit_test(neighbours),
	    cmocka_unit_test(reused_numbers),
	    cmocka_unit_test(bytes_at_once),
	    cmocka_unit_test(straight_line),
	    cmocka_unit_test(never_both_at_once),
	    cmocka_unit_test(waiting),
	    cmocka_unit_test(conditions),
	    cmocka_unit_test(order_of_synchronisation),
	    cmocka_unit_test(runs_end),
	    cmocka_unit_test(bounds_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
