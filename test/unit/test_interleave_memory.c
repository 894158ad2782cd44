/* test_interleave_memory.c - programs with known answers: publication,
 * atomics, locks, and the end of objects. */
#include "interleave_case.h"

#define FORK(h, f) " %" h " = fork.handle none, @" f ", null\n"
#define TWO(f)     "fn @main() {\n" FORK("h", f) FORK("i", f) " ret\n}\n"
/* Writes the object's x (at 0), then does the given to publish it. */
#define MAKE(publish) "fn @main() {\n" FORK("h", "w") " %p = alloc.heap 24\n store %p, 1 #1\n" publish " ret\n}\n"
/* Gets the object, and reads x if there is one. */
#define READ(get)                                                                                  \
	"fn @w(%a: ptr) {\nb1:\n" get " %c = ne ptr %o, null\n cbr %c, b2, b3\nb2:\n"              \
	" %v = load %o #2\n br b3\nb3:\n ret\n}\n"

/* ---- publication --------------------------------------------------------- */

static void
by_store(void **state)
{
	(void)state;
	races(MAKE(" store w64 @G, %p #3\n") READ(" %o = load ptr @G #4\n"), "1/2 3/4!");
	races(MAKE(" store.relaxed w64 @G, %p #3\n") READ(" %o = load.relaxed ptr @G #4\n"), "1/2");
	races(MAKE(" store.rel w64 @G, %p #3\n") READ(" %o = load.relaxed ptr @G #4\n"), "1/2");
	races(MAKE(" store.relaxed w64 @G, %p #3\n") READ(" %o = load.acq ptr @G #4\n"), "1/2");
	races(MAKE(" store.rel w64 @G, %p #3\n") READ(" %o = load.acq ptr @G #4\n"), "");
	races(MAKE(" store.volatile w64 @G, %p #3\n") READ(" %o = load.volatile ptr @G #4\n"),
	      "1/2 3/4!");
	races(MAKE(" acquire @A\n store w64 @G, %p #3\n release @A\n")
		  READ(" acquire @A\n %o = load ptr @G #4\n release @A\n"),
	      "");
	races(MAKE(" acquire @A\n store w64 @G, %p #3\n release @A\n")
		  READ(" acquire @B\n %o = load ptr @G #4\n release @B\n"),
	      "1/2 3/4!");
	races(MAKE(" acquire @A\n store w64 @G, %p #3\n release @A\n store %p, 2 #5\n")
		  READ(" acquire @A\n %o = load ptr @G #4\n release @A\n"),
	      "2/5!");
}

static void
by_fence(void **state)
{
	(void)state;
	races(MAKE(" fence.rel\n store.relaxed w64 @G, %p #3\n") READ(" %o = load.acq ptr @G #4\n"),
	      "");
	races(MAKE(" fence.rel\n store.relaxed w64 @G, %p #3\n")
		  READ(" %o = load.relaxed ptr @G #4\n fence.acq\n"),
	      "");
	races(MAKE(" store.relaxed w64 @G, %p #3\n fence.rel\n") READ(" %o = load.acq ptr @G #4\n"),
	      "1/2");
	races(MAKE(" fence.rel\n store.relaxed w64 @G, %p #3\n store %p, 2 #5\n")
		  READ(" %o = load.acq ptr @G #4\n"),
	      "2/5!");
}

static void
by_release_sequence(void **state)
{
	const char *writer = "fn @w(%p: ptr) {\n store @x, 1 #1\n store.rel @f, 1\n ret\n}\n";
	const char *reader =
	    "fn @r(%p: ptr) {\nb1:\n %v = load.acq @f\n %c = eq i32 %v, 2\n cbr %c, b2, b3\nb2:\n"
	    " %u = load @x #2\n br b3\nb3:\n ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	/* a relaxed increment goes on, a relaxed store of another thread ends it */
	races(arena_printf(&a, "%s%s%s", writer, reader,
			   "fn @main() {\n" FORK("h", "w")
			       FORK("i", "r") " %o = rmw.add.relaxed @f, 1\n ret\n}\n"),
	      "");
	races(arena_printf(&a, "%s%s%s", writer, reader,
			   "fn @main() {\n" FORK("h", "w")
			       FORK("i", "r") " store.relaxed @f, 2\n ret\n}\n"),
	      "1/2!");
	arena_release(&a);
}

static void
through_other_objects(void **state)
{
	(void)state;
	/* o->f = p; G = o under a lock; p->x = 1 */
	races(
	    "fn @main() {\n" FORK(
		"h", "w") " %o = alloc.heap 8\n %p = alloc.heap 4\n store w64 %o, %p\n acquire @A\n"
			  " store w64 @G, %o\n release @A\n store %p, 1 #1\n ret\n}\n"
			  "fn @w(%a: ptr) {\nb1:\n acquire @A\n %o = load ptr @G\n release @A\n %c "
			  "= ne ptr %o, null\n cbr %c, b2, b3\n"
			  "b2:\n %p = load ptr %o\n %v = load %p #2\n br b3\nb3:\n ret\n}\n",
	    "1/2!");
	/* q = o->f is n; G = q; n->x = 1 */
	races("fn @main() {\n" FORK(
		  "h",
		  "w") " %n = alloc.heap 4\n %o = alloc.heap 8\n store w64 %o, %n\n"
		       " %q = load ptr %o\n acquire @A\n store w64 @G, %q\n release @A\n store %n, "
		       "1 #1\n ret\n}\n" READ(" acquire @A\n %o = load ptr @G\n release @A\n"),
	      "1/2!");
	/* handed on by a plain store */
	races("fn @main() {\n" FORK("h", "v") FORK(
		  "i", "w") " %n = alloc.heap 4\n store %n, 1 #1\n store.rel w64 @G, %n\n ret\n}\n"
			    "fn @v(%a: ptr) {\n %q = load.acq ptr @G\n store w64 @G2, %q #3\n "
			    "ret\n}\n" READ(" %o = load ptr @G2 #4\n"),
	      "1/2 3/4!");
	/* n->next = head; n->x = 1; then head = n, all readers under the lock */
	races("fn @main() {\n" FORK("h", "w") " %n = alloc.heap 16\n %k = field %n + 8\n acquire "
					      "@A\n %q = load ptr @G\n release @A\n"
					      " store w64 %k, %q\n store %n, 1\n acquire @A\n "
					      "store w64 @G, %n\n release @A\n ret\n}\n" READ(
						  " acquire @A\n %o = load ptr @G\n release @A\n"),
	      "");
}

static void
by_function(void **state)
{
	(void)state;
	races("fn @fn(%p: ptr) {\n acquire @A\n store w64 @G, %p\n release @A\n store %p, 1 #1\n "
	      "ret\n}\n"
	      "fn @main() {\n" FORK("h", "w") " %n = alloc.heap 4\n call @fn(%n)\n ret\n}\n" READ(
		  " acquire @A\n %o = load ptr @G\n release @A\n"),
	      "1/2!");
	races("fn @main() {\n %p = alloc.heap 4\n store %p, 1 #1\n %h = fork.handle none, @w, %p\n "
	      "ret\n}\n"
	      "fn @w(%p: ptr) {\n %v = load %p #2\n ret\n}\n",
	      "");
}

static void
end_of_object(void **state)
{
	(void)state;
	races("fn @main() {\n %p = alloc.heap 4\n %h = fork.handle none, @w, %p\n free %p #1\n "
	      "ret\n}\n"
	      "fn @w(%p: ptr) {\n %v = load %p #2\n ret\n}\n",
	      "1/2!");
	races("fn @main() {\n %p = alloc.heap 4\n %h = fork.handle none, @w, %p\n join %h\n free "
	      "%p #1\n ret\n}\n"
	      "fn @w(%p: ptr) {\n %v = load %p #2\n ret\n}\n",
	      "");
	races("fn @main() {\n %p = alloc.heap 4\n %h = fork.handle none, @w, %p\n free %p #1\n "
	      "ret\n}\n"
	      "fn @w(%p: ptr) {\n free %p #2\n ret\n}\n",
	      "1/2!");
	/* the reader starts after the end: undefined, but ordered */
	races("fn @main() {\n %p = alloc.heap 4\n free %p #1\n %h = fork.handle none, @w, %p\n "
	      "ret\n}\n"
	      "fn @w(%p: ptr) {\n %v = load %p #2\n ret\n}\n",
	      "");
}

/* ---- locks --------------------------------------------------------------- */

static void
one_name_two_locks(void **state)
{
	(void)state;
	races("fn @w(%a: ptr) {\n %p = alloc.heap 8\n acquire %p\n store @g, 1 #1\n release %p\n "
	      "ret\n}\n" TWO("w"),
	      "1/1!");
	races("fn @w(%a: ptr) {\n acquire @A\n store @g, 1 #1\n release @A\n ret\n}\n" TWO("w"),
	      "");
}

static void
locks_that_change(void **state)
{
	(void)state;
	/* k = G; lock(k) while a third thread switches G, under a lock of its own */
	races("fn @w(%a: ptr) {\n %k = load.relaxed ptr @G\n acquire %k\n store @g, 1 #1\n release "
	      "%k\n ret\n}\n"
	      "fn @main() {\n store.relaxed w64 @G, @A\n" FORK("h", "w")
		  FORK("i", "w") " store.relaxed w64 @G, @B\n ret\n}\n",
	      "1/1!");
	/* o->lk = &A; lock; o->lk = &B; publish; o->x = 1 while holding A */
	races("fn @main() {\n" FORK(
		  "h",
		  "w") " %o = alloc.heap 16\n %k = field %o + 8\n store w64 %k, @A\n acquire @A\n"
		       " store w64 %k, @B\n store.rel w64 @G, %o\n store %o, 1 #1\n release @A\n "
		       "ret\n}\n"
		       "fn @w(%a: ptr) {\nb1:\n %o = load.acq ptr @G\n %c = ne ptr %o, null\n cbr "
		       "%c, b2, b3\nb2:\n %k = field %o + 8\n"
		       " %l = load ptr %k\n acquire %l\n store %o, 2 #2\n release %l\n br "
		       "b3\nb3:\n ret\n}\n",
	      "1/2!");
}

static void
read_and_write_locks(void **state)
{
	(void)state;
	races("fn @w(%a: ptr) {\n acquire.read @A\n %v = load @g #1\n release @A\n ret\n}\n"
	      "fn @main() {\n" FORK(
		  "h", "w") " acquire.read @A\n store @g, 1 #2\n release @A\n ret\n}\n",
	      "1/2!");
	races(
	    "fn @w(%a: ptr) {\n acquire.read @A\n %v = load @g #1\n release @A\n ret\n}\n"
	    "fn @main() {\n" FORK("h", "w") " acquire @A\n store @g, 1 #2\n release @A\n ret\n}\n",
	    "");
}

static void
trylock(void **state)
{
	(void)state;
	races("fn @w(%a: ptr) {\nb1:\n %r = acquire.try @A if zero\n %c = eq i32 %r, 0\n cbr %c, "
	      "b2, b3\nb2:\n store @g, 1 #1\n"
	      " release @A\n br b3\nb3:\n ret\n}\n" TWO("w"),
	      "");
	races("fn @w(%a: ptr) {\n %r = acquire.try @A if zero\n store @g, 1 #1\n ret\n}\n" TWO("w"),
	      "1/1!");
}

static void
counted_locks(void **state)
{
	(void)state;
	races("fn @w(%a: ptr) {\n acquire.rec @A\n acquire.rec @A\n release.rec @A\n store @g, 1 "
	      "#1\n release.rec @A\n ret\n}\n" TWO("w"),
	      "");
	races("fn @w(%a: ptr) {\n acquire.rec @A\n acquire.rec @A\n release.rec @A\n release.rec "
	      "@A\n store @g, 1 #1\n ret\n}\n" TWO("w"),
	      "1/1!");
	/* an error-checking lock, taken twice, the result ignored, given back once */
	races("fn @w(%a: ptr) {\n acquire @A\n %r = acquire.try @A if zero\n release @A\n store "
	      "@g, 1 #1\n ret\n}\n" TWO("w"),
	      "1/1!");
}

static void
before_any_fork(void **state)
{
	(void)state;
	races("fn @inc() {\n %v = load @g #1\n %u = add %v, 1\n store @g, %u #2\n ret\n}\n"
	      "fn @w(%a: ptr) {\n acquire @A\n call @inc()\n release @A\n ret\n}\n"
	      "fn @main() {\n call @inc()\n" FORK("h", "w") FORK("i", "w") " ret\n}\n",
	      "");
	races("fn @inc() {\n %v = load @g #1\n %u = add %v, 1\n store @g, %u #2\n ret\n}\n"
	      "fn @w(%a: ptr) {\n acquire @A\n call @inc()\n release @A\n ret\n}\n"
	      "fn @main() {\n" FORK("h", "w") " call @inc()\n ret\n}\n",
	      "1/2! 2/2!");
}

static void
aliases_in_one_context(void **state)
{
	const char *f = "fn @fn(%p: ptr, %q: ptr) {\n %k = field %p + 8\n acquire %k\n %l = field "
			"%q + 8\n acquire.rec @B\n"
			" release.rec @B\n release %l\n store %p, 1 #1\n ret\n}\n";
	Arena a;

	(void)state;
	arena_init(&a, NULL);
	races(
	    arena_printf(&a, "%s%s", f, "fn @w(%p: ptr) {\n call @fn(@a, @a)\n ret\n}\n" TWO("w")),
	    "1/1!");
	arena_release(&a);
}

static void
through_three_functions(void **state)
{
	(void)state;
	races("fn @fn(%o: ptr) {\n %k = field %o + 8\n acquire %k\n ret\n}\n"
	      "fn @g1(%o: ptr, %n) {\nb1:\n %c = eq i32 %n, 0\n cbr %c, b2, b3\nb2:\n store %o, 1 "
	      "#1\n ret\nb3:\n"
	      " %m = sub %n, 1\n call @g1(%o, %m)\n ret\n}\n"
	      "fn @k(%o: ptr) {\n %k = field %o + 8\n release %k\n ret\n}\n"
	      "fn @w(%p: ptr) {\n %q = copy ptr @k\n call @fn(@a)\n call @g1(@a, 2)\n call "
	      "%q(@a)\n ret\n}\n" TWO("w"),
	      "");
}

static void
conditional_wait(void **state)
{
	/* the wait gives the lock up: what was read before it is old, but no race */
	(void)state;
	races("fn @w(%a: ptr) {\n acquire @A\n store @g, 1 #1\n signal.cond @sem\n release @A\n "
	      "ret\n}\n"
	      "fn @main() {\nb1:\n" FORK(
		  "h", "w") " acquire @A\n br b2\nb2:\n %v = load @g #2\n %c = ne i32 %v, 0\n cbr "
			    "%c, b4, b3\n"
			    "b3:\n release @A\n await.cond.try @sem\n acquire @A\n br b2\nb4:\n "
			    "store @g, 3 #3\n release @A\n ret\n}\n",
	      "");
}

static void
own_locks_for_shared_data(void **state)
{
	(void)state;
	races("fn @w(%l: ptr) {\n acquire %l\n store @a, 1 #1\n release %l\n ret\n}\n"
	      "fn @main() {\n %h = fork.handle none, @w, @A\n %i = fork.handle none, @w, @B\n "
	      "ret\n}\n",
	      "1/1!");
	races("fn @w(%l: ptr) {\n acquire %l\n store @a, 1 #1\n release %l\n ret\n}\n"
	      "fn @main() {\n %h = fork.handle none, @w, @A\n %i = fork.handle none, @w, @A\n "
	      "ret\n}\n",
	      "");
}

static void
thread_local_memory(void **state)
{
	(void)state;
	races("global tls @own\nfn @w(%a: ptr) {\n store @own, 1 #1\n %v = load @own #2\n "
	      "ret\n}\n" TWO("w"),
	      "");
	races("global tls @own\nfn @w(%a: ptr) {\n store %a, 1 #1\n ret\n}\n"
	      "fn @main() {\n %h = fork.handle none, @w, @own\n store @own, 2 #2\n ret\n}\n",
	      "1/2!");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(by_store),
	    cmocka_unit_test(by_fence),
	    cmocka_unit_test(by_release_sequence),
	    cmocka_unit_test(through_other_objects),
	    cmocka_unit_test(by_function),
	    cmocka_unit_test(end_of_object),
	    cmocka_unit_test(one_name_two_locks),
	    cmocka_unit_test(locks_that_change),
	    cmocka_unit_test(read_and_write_locks),
	    cmocka_unit_test(trylock),
	    cmocka_unit_test(counted_locks),
	    cmocka_unit_test(before_any_fork),
	    cmocka_unit_test(aliases_in_one_context),
	    cmocka_unit_test(through_three_functions),
	    cmocka_unit_test(conditional_wait),
	    cmocka_unit_test(own_locks_for_shared_data),
	    cmocka_unit_test(thread_local_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
