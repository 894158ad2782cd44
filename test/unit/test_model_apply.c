/* test_model_apply.c - what each verb turns a call into, and what becomes of
 * the program around it. */
#include "model_case.h"

/* The body of @t after applying model to a program with that body, some
 * globals and declarations of f. */
static void
expect(const char *model, const char *body, const char *want)
{
	Case c;

	case_begin(&c);
	case_model(&c, model);
	case_apply(&c, arena_printf(&c.a,
				    "global @m size 40\n"
				    "declare @f(1) -> int variadic\n"
				    "declare @g(1) -> ptr variadic\n"
				    "fn @w(%%x: ptr) -> ptr {\n\tret ptr null\n}\n"
				    "fn @t(%%p: ptr, %%q: ptr, %%n: i64) {\n%s\n\tret\n}\n",
				    body));
	assert_string_equal(case_body(&c, "t"), arena_printf(&c.a, "b1:\n%s ret\n", want));
	case_end(&c);
}

static void
test_locks(void **state)
{
	(void)state;
	expect("f(m): acquire write m\n", "\tcall @f(@m)", " acquire.model @m if any\n");
	expect("f(m): acquire read m\n", "\t%r = call i32 @f(@m)",
	       " acquire.read.model @m if any\n %r = nondet.model\n");
	expect("f(m): acquire write m try recursive on zero\n", "\t%r = call i32 @f(%p)",
	       " %r = acquire.try.rec.model %p if zero\n");
	expect("f(m): acquire write m + 8 on nonzero\n", "\tcall @f(%p)",
	       " %4 = field.model %p + 8\n %5 = acquire.model %4 if nonzero\n");
	expect("f(m): release m recursive\n", "\tcall @f(%p)", " release.rec.model %p if any\n");
	expect("global big 1\nf(m): acquire write big\n", "\tcall @f(%p)",
	       " acquire.model @model.big if any\n");
	expect("f(c, m): wait c with m\n", "\t%r = call i32 @f(%p, %q)",
	       " release.model %q if any\n await.cond.try.model %p if any\n"
	       " acquire.model %q if any\n %r = nondet.model\n");
}

/* A result that nothing compares is taken for success. */
static void
test_checked(void **state)
{
	static const char model[] = "f(m): acquire write m on zero if checked\n";

	(void)state;
	expect(model, "\tcall @f(@m)", " acquire.model @m if any\n");
	expect(model, "\t%r = call i32 @f(@m)\n\tcall @w(%p)",
	       " %r = acquire.model @m if any\n call @w(%p)\n");
	expect(model, "\t%r = call i32 @f(@m)\n\t%z = eq i32 %r, 0",
	       " %r = acquire.model @m if zero\n %z = eq i32 %r, 0\n");
	expect(model, "\t%r = call i32 @f(@m)\n\t%s = sext i64 %r from 32\n\t%z = eq i64 %s, 0",
	       " %r = acquire.model @m if zero\n %s = sext i64 %r from 32\n %z = eq i64 %s, 0\n");
}

/* A fact holds if a call proved it and none may refute it. */
static void
test_facts(void **state)
{
	static const char model[] = "fact counted\nf(m): acquire write m recursive when counted\n"
				    "g(k): prove counted if k is 1; refute counted if k is 2\n";

	(void)state;
	expect(model, "\tcall @f(%p)", " acquire.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(i32 1)", " acquire.rec.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(i32 0)", " acquire.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(i32 1)\n\tcall @g(i32 2)",
	       " acquire.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(i32 1)\n\tcall @g(%n)",
	       " acquire.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(i32 1)\n\tstore ptr %p, @g",
	       " acquire.model %p if any\n store ptr %p, @g\n");
}

/* One that is assumed holds unless it is refuted. */
static void
test_assumed(void **state)
{
	static const char model[] =
	    "fact counted assumed\nf(m): acquire write m recursive when counted\n"
	    "g(k): prove counted if k is 1; refute counted if k is 2\n";

	(void)state;
	expect(model, "\tcall @f(%p)", " acquire.rec.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(i32 0)", " acquire.rec.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(%n)", " acquire.model %p if any\n");
	expect(model, "\tcall @f(%p)\n\tcall @g(i32 2)", " acquire.once.model %p if any\n");
}

static void
test_threads(void **state)
{
	(void)state;
	expect("f(h, s, x): fork s(x) handle h on zero\n", "\t%r = call i32 @f(%p, @w, %q)",
	       " %r = fork.model %p, @w, %q if zero\n");
	expect("f(h, s, x): fork s(x, x) handle h width 32 on zero\n",
	       "\t%r = call i32 @f(%p, @w, %q)", " %r = fork.model i32 %p, @w, %q, %q if zero\n");
	expect("f(s): fork s()\n", "\tcall @f(@w)", " fork.model none, @w if any\n");
	expect("g(s): fork s() handle result on nonnull\n", "\t%r = call i64 @g(@w)",
	       " %r = fork.handle.model none, @w if nonzero\n");
	expect("f(t): join t on zero\n", "\t%r = call i32 @f(%n)", " %r = join.model %n if zero\n");
	expect("f(t, r): join t result to r try on zero\n", "\t%r = call i32 @f(%n, %p)",
	       " %r = join.try.model %n, %p if zero\n");
	expect("f(t, r): join t result to r\n", "\tcall @f(%n, null)", " join.model %n if any\n");
	expect("f(t): detach t\n", "\tcall @f(%n)", " detach.model %n\n");
}

static void
test_events(void **state)
{
	(void)state;
	expect("f(s): signal sem s\n", "\tcall @f(%p)", " signal.sem.model %p\n");
	expect("f(s): await barrier s\n", "\tcall @f(%p)", " await.barrier.model %p if any\n");
	expect("f(s): await sem s try on zero\n", "\t%r = call i32 @f(%p)",
	       " %r = await.sem.try.model %p if zero\n");
	expect("f(s, v): signal sem s if v\n",
	       "\tcall @f(%p, 0)\n\tcall @f(%q, 1)\n\tcall @f(%p, %n)",
	       " signal.sem.model %q\n signal.sem.model %p\n");
}

static void
test_memory(void **state)
{
	(void)state;
	expect("f(p): free p; publish p; retain p\n", "\tcall @f(%p)\n\tcall @f(null)",
	       " free.model %p\n publish.model %p\n publish.model %p\n");
	expect("global g 8\nf(p): retain p in g\n", "\tcall @f(%p)",
	       " store.relaxed.model w64 @model.g, %p\n");
	expect("f(p, q): retain into p in q\n", "\tcall @f(%p, %q)",
	       " %4 = nondet.model i64\n %5 = index.model %p + %4 * 1\n store.model w64 %q, %5\n");
	expect("f(p): read string at p\n", "\tcall @f(%p)", " readn.model %p\n");
	expect("f(p, n): read n at p; write 4 at p\n", "\tcall @f(%p, %n)",
	       " readn.model %p, %n\n writen.model %p, 4\n");
	expect("f(p, n, k): write n*k at p\n", "\tcall @f(%p, %n, i32 4)",
	       " %4 = mul.model i64 %n, 4\n writen.model %p, %4\n");
	expect("f(p, n, k): write 2*n*k at p\n", "\tcall @f(%p, i64 3, i64 4)",
	       " writen.model %p, 24\n");
	expect("f(p): write any at p; write word at p\n", "\tcall @f(%p)",
	       " %4 = nondet.model i64\n writen.model %p, %4\n writen.model %p, 8\n");
	expect("f(p): read 4 at *p\n", "\tcall @f(%p)",
	       " %4 = load.model ptr %p\n readn.model %4, 4\n");
	expect("f(p, o): read 4 at p order o\n", "\tcall @f(%p, i32 2)\n\tcall @f(%p, %n)",
	       " readn.acq.model %p, 4\n readn.relaxed.model %p, 4\n");
	expect("f(d, s, n): copy n from s to d\n", "\tcall @f(%p, %q, %n)",
	       " bcopy.model %p, %q, %n\n");
	expect("f(d, s): copy string from s to d\n", "\tcall @f(%p, %q)",
	       " readn.model %q\n %4 = nondet.model i64\n writen.model %p, %4\n");
}

static void
test_allocation(void **state)
{
	(void)state;
	expect("g(n): allocate n\n", "\t%r = call ptr @g(%n)", " %r = alloc.heap.model %n\n");
	expect("g(n): allocate any zeroed or null\n", "\t%r = call ptr @g(%n)",
	       " %r = alloc.heap.model\n");
	expect("f(p, n): allocate n to p\n", "\tcall @f(%p, %n)",
	       " %4 = alloc.heap.model %n\n store.model w64 %p, %4\n");
	expect("g(p): allocate 24 or p; retain p in result + word\n", "\t%r = call ptr @g(%p)",
	       " %5 = alloc.heap.model 24\n %6 = field.model %5 + 8\n store.model w64 %6, %p\n"
	       " %7 = nondet.model i1\n %r = select.model ptr %7, %5, %p\n");
	expect("g(p, n): allocate n; copy n from p to result; free p\n",
	       "\t%r = call ptr @g(%p, %n)",
	       " %r = alloc.heap.model %n\n bcopy.model %r, %p, %n\n free.model %p\n");
}

static void
test_results(void **state)
{
	(void)state;
	expect("g(p): return p\n", "\t%r = call ptr @g(%p)", " %r = copy.model ptr %p\n");
	expect("g(p): return p\n", "\tcall @g(%p)", "");
	expect("f(p): return any\n", "\t%r = call i32 @f(%p)", " %r = nondet.model\n");
	expect("f(p): nothing\n", "\t%r = call i32 @f(%p)", " %r = nondet.model\n");
	expect("g(p): return null\n", "\t%r = call ptr @g(%p)", " %r = copy.model ptr null\n");
	expect("g(p): return into p or null\n", "\t%r = call ptr @g(%p)",
	       " %5 = nondet.model i64\n %6 = index.model %p + %5 * 1\n %7 = nondet.model i1\n"
	       " %r = select.model ptr %7, %6, null\n");
	expect("g(p): return into (p + 4) by 16\n", "\t%r = call ptr @g(%p)",
	       " %5 = field.model %p + 4\n %6 = nondet.model i64\n"
	       " %7 = index.model %5 + %6 * 16\n %r = copy.model ptr %7\n");
	expect("g(p): return p or *(p + 2 words)\n", "\t%r = call ptr @g(%p)",
	       " %5 = field.model %p + 16\n %6 = load.model ptr %5\n %7 = nondet.model i1\n"
	       " %r = select.model ptr %7, %p, %6\n");
	expect("thread e 4\ng(): return e\n", "\t%r = call ptr @g()",
	       " %r = copy.model ptr @model.e\n");
	expect("global g 8\ng(p): return *g\n", "\t%r = call ptr @g(%p)",
	       " %5 = load.relaxed.model ptr @model.g\n %r = copy.model ptr %5\n");
	expect("f(p): assume p\n", "\tcall @f(%n)", " assume.model %n\n");
}

static void
test_calls(void **state)
{
	(void)state;
	expect("f(h, x): call h(x)\n", "\tcall @f(@w, %p)", " call.model @w(%p)\n");
	expect("f(h, x): call h(into x, x) repeatedly\n", "\tcall @f(%q, %p)",
	       " %4 = nondet.model i64\n %5 = index.model %p + %4 * 1\n"
	       " call.repeat.model %q(%5, %p)\n");
	expect("f(h): call h() maybe\n", "\tcall @f(@w)\n\tcall @f(null)",
	       " call.maybe.model @w()\n");
	expect("f(h): call *h(null) maybe\n", "\tcall @f(%p)",
	       " %4 = load.model ptr %p\n call.maybe.model %4(null)\n");
	expect("g(h): call h() for result\n", "\t%r = call ptr @g(@w)",
	       " %r = call.model ptr @w()\n");
	expect("f(a, ...): read string at ...\n", "\tcall @f(%n, %p, 3, %q, %n)",
	       " readn.model %p\n readn.model %q\n");
	expect("f(h, ...): call h(...) maybe\n", "\tcall @f(@w, %p, 3, %q)",
	       " call.maybe.model @w(%p)\n call.maybe.model @w(%q)\n");
}

/* What is to be called at the end is a destructor of its own, once for all calls that ask for it. */
static void
test_at_end(void **state)
{
	static const char rules[] = "global g 8\nf(h): retain h in g; call *g(*g) maybe at end\n";
	Case c;

	(void)state;
	expect(rules, "\tcall @f(@w)\n\tcall @f(%p)",
	       " store.relaxed.model w64 @model.g, @w\n store.relaxed.model w64 @model.g, %p\n");
	case_begin(&c);
	case_model(&c, rules);
	case_apply(&c, "declare @f(1)\nfn @t(%p: ptr) {\n\tcall @f(%p)\n\tcall @f(%p)\n\tret\n}\n");
	assert_string_equal(case_body(&c, "model.end"),
			    "b1:\n %1 = load.relaxed.model ptr @model.g\n"
			    " %2 = load.relaxed.model ptr @model.g\n"
			    " call.maybe.model %1(%2)\n ret\n");
	case_end(&c);
}

static void
test_atomics(void **state)
{
	(void)state;
	expect("f(p, o): load p order o\n", "\t%r = call i32 @f(%p, i32 5)",
	       " %r = load.seq_cst.model %p\n");
	expect("f(p, v): store v at p order release\n", "\tcall @f(%p, i32 7)",
	       " store.rel.model %p, 7\n");
	expect("f(p): store 0 at p order release width 8\n", "\tcall @f(%p)",
	       " store.rel.model w8 %p, 0\n");
	expect("f(p, v): rmw add p with v order acq_rel\n", "\t%r = call i32 @f(%p, i32 1)",
	       " %r = rmw.add.acq_rel.model %p, 1\n");
	expect("f(p, v): rmw sub p with v order relaxed new\n", "\t%r = call i32 @f(%p, i32 1)",
	       " %5 = rmw.sub.relaxed.model %p, 1\n %r = sub.model %5, 1\n");
	expect("f(p): rmw sub p with 1 order relaxed width 64 new zero\n", "\t%r = call i32 @f(%p)",
	       " %5 = rmw.sub.relaxed.model i64 %p, 1\n %6 = sub.model i64 %5, 1\n"
	       " %r = eq.model i64 %6, 0 -> i32\n");
	expect("f(p, e, v): cas p from e to v order seq_cst\n", "\t%r = call i32 @f(%p, 1, 2)",
	       " %r = cas.seq_cst.model %p, 1, 2\n");
	expect("f(p, e, v): cas p from e to v order seq_cst success\n",
	       "\t%r = call i1 @f(%p, 1, 2)",
	       " %5 = cas.seq_cst.model %p, 1, 2\n %r = eq.model i32 %5, 1\n");
	expect("f(): fence order acquire\n", "\tcall @f()", " fence.acq.model\n");
}

/* ---- the program around it ------------------------------------------------ */

static const char diamond[] = "declare @die(1) noreturn\n"
			      "fn @t(%c: i1) -> int {\n"
			      "\tcbr %c, a, b\n"
			      "a:\n\tcall @die(1)\n\t%x = add 1, 2\n\tbr end\n"
			      "b:\n\t%y = add 3, 4\n\tbr end\n"
			      "end:\n\t%z = phi [a: %x], [b: %y]\n\tret i32 %z\n}\n";

static void
test_end(void **state)
{
	static const struct {
		const char *effect, *text;
	} end[] = {{"exit", "exit.model"},
		   {"exit thread n", "texit.model 1"},
		   {"exit thread", "texit.model"},
		   {"throw", "throw.model"}};

	(void)state;
	for (u32 k = 0; k < COUNT(end); k++) {
		Case c;
		case_begin(&c);
		case_model(&c, arena_printf(&c.a, "die(n): %s\n", end[k].effect));
		case_apply(&c, diamond);
		assert_string_equal(
		    case_body(&c, "t"),
		    arena_printf(&c.a,
				 " dead %%x.2: i32\nb1:\n cbr %%c, b2, b3\nb2:\n %s\n"
				 "b3:\n %%y = add 3, 4\n br b4\nb4:\n %%z = phi [b3: %%y]\n"
				 " ret i32 %%z\n",
				 end[k].text));
		case_end(&c);
	}
}

/* Blocks behind a call that ends, loops among them, are gone. */
static void
test_dead(void **state)
{
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c, "die(n): exit\n");
	case_apply(&c, "declare @die(1)\n"
		       "fn @t(%c: i1) {\nentry:\n\tcbr %c, out, stop\n"
		       "stop:\n\tcall @die(0)\n\tbr loop\n"
		       "loop:\n\tcbr %c, loop, out\n"
		       "out:\n\t%z = phi i32 [entry: 1], [loop: 2]\n\tret\n}\n");
	assert_string_equal(case_body(&c, "t"), "b1:\n cbr %c, b3, b2\nb2:\n exit.model\n"
						"b3:\n %z = phi [b1: 1]\n ret\n");
	case_end(&c);
}

static void
test_unknown(void **state)
{
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c, "known(a): nothing\n");
	case_apply(&c, "declare @other(2) -> ptr\ndeclare @known(2)\n"
		       "fn @t(%p: ptr) {\n"
		       "\t%r = call ptr @other(%p, 3)\n\tcall @other(%r, 4)\n"
		       "\tcall @known(%p, %p)\n\tcall %p(%r)\n\tret\n}\n");
	assert_string_equal(case_body(&c, "t"),
			    "b1:\n %r = extern ptr \"other\"(%p, 3)\n extern \"other\"(%r, 4)\n"
			    " extern \"known\"(%p, %p)\n call %p(%r)\n ret\n");
	assert_int_equal(c.out.assumes.n, 3);
	assert_string_equal(ir_str(&c.out, c.out.assumes.at[1].what),
			    "external function other is unknown: what its arguments reach escapes "
			    "to it");
	assert_string_equal(
	    ir_str(&c.out, c.out.assumes.at[2].what),
	    "external function known is used with 2 arguments, its model has 1: what "
	    "they reach escapes to it");
	case_end(&c);
}

/* The program's own function wins, unless the model overrides it. */
static void
test_own_body(void **state)
{
	static const char program[] = "fn @f(%p: ptr) {\n\tret\n}\n"
				      "fn internal @g(%p: ptr) {\n\tret\n}\n"
				      "fn @t(%p: ptr) {\n\tcall @f(%p)\n\tcall @g(%p)\n\tret\n}\n";
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c, "f(p): free p\n");
	case_apply(&c, program);
	assert_string_equal(case_body(&c, "t"), "b1:\n call @f(%p)\n call @g(%p)\n ret\n");
	case_end(&c);
	case_begin(&c);
	case_model(&c, "override f, g(p): free p\n");
	case_apply(&c, program);
	assert_string_equal(case_body(&c, "t"), "b1:\n free.model %p\n call @g(%p)\n ret\n");
	assert_int_equal(c.out.fns.at[1].nblock, 0);
	case_end(&c);
}

/* A later rule, an exact name, a longer pattern wins; the number of arguments
 * picks among rules of one name. */
static void
test_choice(void **state)
{
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c, "old(p): nothing\nab*(p): publish p\nabc*(p): free p\n*z(p): release p\n"
		       "abcd(p): acquire write p\nabcd(p, q): acquire write q\n"
		       "abcd(p, q, r, ...): acquire write r\n");
	case_model(&c, "old(p): free p\n");
	case_apply(&c, "declare @old(1)\ndeclare @abx(1)\ndeclare @abcx(1)\ndeclare @xz(1)\n"
		       "declare @abcd(1)\ndeclare @ab(1)\n"
		       "fn @t(%p: ptr, %q: ptr) {\n\tcall @old(%p)\n\tcall @abx(%p)\n"
		       "\tcall @abcx(%p)\n\tcall @xz(%p)\n\tcall @abcd(%p)\n\tcall @abcd(%p, %q)\n"
		       "\tcall @abcd(%q, %q, %p, %q)\n\tcall @ab(%p)\n\tret\n}\n");
	assert_string_equal(case_body(&c, "t"),
			    "b1:\n free.model %p\n publish.model %p\n free.model %p\n"
			    " release.model %p if any\n acquire.model %p if any\n"
			    " acquire.model %q if any\n acquire.model %p if any\n"
			    " publish.model %p\n ret\n");
	case_end(&c);
}

/* What may be called through a pointer has a body with the same effects. */
static void
test_pointers(void **state)
{
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c,
		   "drop(p): free p\nmake(n): allocate n\nrun(s, x): fork s(x)\ndie(n): exit\n");
	case_apply(&c, "global @table size 8 = {0: @make}\n"
		       "declare @drop(1)\ndeclare @make(%n: i64) -> ptr\ndeclare @run(2)\n"
		       "declare @die(%n: i32)\ndeclare @odd(2) -> int\n"
		       "fn @t(%p: ptr) {\n\tcall @run(@drop, %p)\n\tstore ptr %p, @die\n"
		       "\tstore ptr %p, @odd\n\tcall @make(i64 1)\n\tret\n}\n");
	assert_string_equal(case_body(&c, "drop"), "b1:\n free.model %p\n ret\n");
	assert_string_equal(case_body(&c, "make"), "b1:\n %2 = alloc.heap.model %n\n ret %2\n");
	assert_string_equal(case_body(&c, "die"), "b1:\n exit.model\n");
	assert_string_equal(case_body(&c, "odd"), "b1:\n %3 = extern \"odd\"(%1, %2)\n ret %3\n");
	assert_int_equal(c.out.fns.at[ir_find_fn(&c.out, "run")].nblock, 0);
	assert_true(c.out.fns.at[ir_find_fn(&c.out, "drop")].flags & FN_SYNTHETIC);
	case_end(&c);
}

/* The lock of a wrap rule is released at each end, thrown ones too. */
static void
test_wrap(void **state)
{
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c, "global big 1\nwrap at_*: hold write big\n");
	case_apply(&c, "fn @g() {\n\tret\n}\n"
		       "fn @at_x(%c: i1) {\n\tcbr %c, a, b\na:\n\tcall.throws @g()\n\tret\n"
		       "b:\n\tthrow undef\n}\n"
		       "fn @other() {\n\tret\n}\n");
	assert_string_equal(
	    case_body(&c, "at_x"),
	    "b1:\n acquire.model @model.big if any\n cbr %c, b2, b3\n"
	    "b2: exc b4\n call.throws @g()\n release.model @model.big if any\n ret\n"
	    "b3:\n release.model @model.big if any\n throw undef\n"
	    "b4:\n release.model @model.big if any\n throw\n");
	assert_string_equal(case_body(&c, "other"), "b1:\n ret\n");
	case_end(&c);
}

static void
test_narrow(void **state)
{
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c, "f(h, s, n, k): fork s() handle h; write n*k at h; write word at h\n");
	case_apply(&c, "unit \"u\" hash 0 ptr 4\ndeclare @f(4)\nfn @w() {\n\tret\n}\n"
		       "fn @t(%p: ptr, %n: i32) {\n\tcall @f(%p, @w, %n, i32 8)\n\tret\n}\n");
	assert_string_equal(case_body(&c, "t"),
			    "b1:\n fork.model %p, @w if any\n %3 = mul.model %n, 8\n"
			    " writen.model %p, %3\n writen.model %p, 4\n ret\n");
	case_end(&c);
}

/* Effects keep the call's position and site; assumptions of models are told
 * once, where they are first made. */
static void
test_places(void **state)
{
	Case c;
	const Fn *f;

	(void)state;
	case_begin(&c);
	case_model(&c, "f(p): free p; publish p; assumption \"something\"\n");
	case_apply(&c, "declare @f(1)\nfn @t(%p: ptr) {\n\tcall @f(%p) !\"x.c\":7:3 #9\n"
		       "\tcall @f(%p) !\"x.c\":8:3 #10\n\tret\n}\n");
	f = &c.out.fns.at[ir_find_fn(&c.out, "t")];
	for (u32 k = 0; k < 4; k++) {
		const Ins *i = ir_ins(&c.out, f->ins + k);
		assert_int_equal(c.out.srcs.at[i->src].line, 7 + k / 2);
		assert_int_equal(i->site, 9 + k / 2);
	}
	assert_int_equal(c.out.assumes.n, 2);
	assert_string_equal(ir_str(&c.out, c.out.assumes.at[1].what), "something");
	assert_int_equal(c.out.srcs.at[c.out.assumes.at[1].src].line, 7);
	case_end(&c);
}

/* ---- any rule -------------------------------------------------------------- */

static const char *
any_value(Rand *r)
{
	static const char *const values[] = {"p",       "q",      "n",     "*p",  "into q", "p + 8",
					     "cell",    "null",   "(*q)",  "any", "7",      "...",
					     "into *p", "result", "*cell", "slot"};

	return values[rand_below(r, COUNT(values))];
}

static const char *
any_effect(Rand *r, Arena *a)
{
	static const char *const forms[] = {"acquire write %s on zero",
					    "acquire read %s try recursive",
					    "release %s if n",
					    "fork %s(%s) handle %s on zero",
					    "fork %s() handle result",
					    "join %s result to %s try",
					    "detach %s",
					    "signal sem %s",
					    "await once %s on nonzero if checked",
					    "wait %s with %s",
					    "publish %s",
					    "retain %s",
					    "retain %s in %s",
					    "free %s",
					    "read string at %s",
					    "write n*4 at %s order n",
					    "read n*n*n at %s",
					    "write any at %s",
					    "copy n from %s to %s",
					    "copy string from %s to %s",
					    "allocate n",
					    "allocate any to %s",
					    "return %s",
					    "return %s or null",
					    "return %s or %s",
					    "allocate 8 or %s",
					    "rmw sub %s with 1 order seq_cst width 32 new zero",
					    "call %s(%s, %s) repeatedly",
					    "call %s(%s) for result",
					    "load %s order seq_cst",
					    "store %s at %s order n",
					    "rmw add %s with %s order relaxed new",
					    "rmw xchg %s with %s order n",
					    "cas %s from %s to %s order n success",
					    "cas %s from %s to %s order acquire",
					    "fence order n",
					    "assume %s",
					    "exit thread %s",
					    "exit",
					    "throw"};

	return arena_printf(a, forms[rand_below(r, COUNT(forms))], any_value(r), any_value(r),
			    any_value(r));
}

/* Whatever a model says, a program in order stays in order. */
static void
test_random(void **state)
{
	static const char program[] =
	    "declare @f(3) -> int variadic\n"
	    "fn @t(%p: ptr, %q: ptr, %n: i32, %c: i1) -> int {\nentry:\n"
	    "\t%a = call i32 @f(%p, %q, %n)\n\tcall @f(null, @t, i64 2, %p, 3, %q)\n"
	    "\tcbr %c, one, two\none:\n\t%b = call i32 @f(%q, null, 5, %q)\n"
	    "\t%e = eq i32 %b, 0\n\tbr two\n"
	    "two:\n\t%x = phi i32 [entry: %a], [one: %b]\n\tstore ptr %p, @f\n\tret i32 %x\n}\n";
	Rand r = {11};
	u32 good = 0;

	(void)state;
	for (u32 round = 0; round < 4000; round++) {
		Case c;
		const char *text;
		case_begin(&c);
		text = arena_printf(&c.a, "global cell 8\nthread slot 8\nf(p, q, n, ...): %s",
				    any_effect(&r, &c.a));
		for (u32 k = rand_below(&r, 3); k--;)
			text = arena_printf(&c.a, "%s; %s", text, any_effect(&r, &c.a));
		if (models_parse(c.models, "t.model", text, strlen(text), &c.diag)) {
			good++;
			case_apply(&c, program);
		}
		case_end(&c);
	}
	assert_true(good > 1000);
}

/* A kept call has places of its own for the function and each argument. */
static void
test_kept(void **state)
{
	(void)state;
	expect("global calls 8\nf(h, x): keep h(x) in calls\n", "\tcall @f(@w, %p)",
	       " store.relaxed.model w64 @model.calls.2, @w\n"
	       " store.relaxed.model w64 @model.calls.3, %p\n");
	expect("global calls 8\nf(h, x): keep h(x) in calls\ng(p): run calls\n",
	       "\tcall @f(@w, %p)\n\tcall @g(%q)",
	       " store.relaxed.model w64 @model.calls.2, @w\n"
	       " store.relaxed.model w64 @model.calls.3, %p\n"
	       " call.repeat.model @model.run.calls()\n");
	expect("global calls 8\nf(h, x): keep h(x) in calls ordered\n", "\tcall @f(@w, %p)",
	       " store.seq_cst.model w64 @model.calls.2, @w\n"
	       " store.seq_cst.model w64 @model.calls.3, %p\n");
	expect("global calls 8\ng(p): run calls\n", "\tcall @g(%q)",
	       " call.repeat.model @model.run.calls()\n");
}

/* A member lies where the program's type says, or anywhere; a fact is that it has it. */
static void
test_parts(void **state)
{
	static const char program[] =
	    "type t1 = ptr size 8\n%sdeclare @f(1)\nfn @t(%%p: ptr) {\n\tcall @f(%%p)\n\tret\n}\n";
	static const struct {
		const char *types, *body;
	} cases[] = {
	    {"", " %2 = nondet.model i64\n %3 = index.model %p + %2 * 1\n free.model %3\n"},
	    {"type t2 = struct \"work\" size 8 { 0: t1 \"next\" }\n", ""},
	    {"type t2 = struct \"struct work\" size 16 { 0: t1 \"next\"  8: t1 \"func\" }\n",
	     " %2 = field.model %p + 8\n free.model %2\n publish.model %p\n"},
	    {"type t2 = struct \"work\" size 8 { 0: t1 \"func\" }\n"
	     "type t3 = struct \"works\" size 16 { 8: t1 \"func\" }\n",
	     " free.model %p\n publish.model %p\n"},
	    {"type t2 = struct \"work\" size 8 { 0: t1 \"func\" }\n"
	     "type t3 = struct \"work\" size 16 { 8: t1 \"func\" }\n",
	     " %2 = nondet.model i64\n %3 = index.model %p + %2 * 1\n free.model %3\n"
	     " publish.model %p\n"}};

	(void)state;
	for (u32 k = 0; k < COUNT(cases); k++) {
		Case c;

		case_begin(&c);
		case_model(&c, "fact has_func if \"work.func\"\n"
			       "f(p): free p + \"work.func\"; publish p when has_func\n");
		case_apply(&c, arena_printf(&c.a, program, cases[k].types));
		assert_string_equal(case_body(&c, "t"),
				    arena_printf(&c.a, "b1:\n%s ret\n", cases[k].body));
		case_end(&c);
	}
}

/* A cell of the library's in an object of the program. */
static void
test_own_cell(void **state)
{
	(void)state;
	expect("f(p, x): retain x in p.mine\n", "\tcall @f(%p, %q)",
	       " %4 = field.java.model %p + 0 in f1\n store.seq_cst.model w64 %4, %q\n");
	expect("g(p): return *p.mine\n", "\t%r = call ptr @g(%p)",
	       " %5 = field.java.model %p + 0 in f1\n %6 = load.seq_cst.model ptr %5\n"
	       " %r = copy.model ptr %6\n");
}

/* A thread that starts when it may, that holds a lock, or that makes its call again and again. */
static void
test_late_threads(void **state)
{
	static const char program[] =
	    "declare @f(3)\nfn @w(%p: ptr) {\n\tret\n}\n"
	    "fn @t(%p: ptr, %q: ptr) {\n\tcall @f(@w, %p, %q)\n\tret\n}\n";
	Case c;

	(void)state;
	expect("f(h, x): fork h(x) later\n", "\tcall @f(@w, %p)",
	       " fork.try.model none, @w, %p if any\n");
	expect("f(h, x): fork h(x) in turn\n", "\tcall @f(null, %p)", "");
	case_begin(&c);
	case_model(&c, "f(h, x, m): fork h(x) later holding m; fork h(x) in turn\n");
	case_apply(&c, program);
	assert_string_equal(case_body(&c, "t"),
			    "b1:\n fork.try.model none, @model.serial.4, @w, %p, %q if any\n"
			    " fork.model none, @model.serial.5, @w, %p if any\n ret\n");
	assert_string_equal(
	    case_body(&c, "model.serial.4"),
	    "b1:\n acquire.model %3\n call.model %1(%2)\n release.model %3\n ret\n");
	assert_string_equal(case_body(&c, "model.serial.5"),
			    "b1:\n call.repeat.model %1(%2)\n ret\n");
	case_end(&c);
}

/* Of two effects that make the result, that of which the fact holds does. */
static void
test_either_result(void **state)
{
	static const char model[] =
	    "fact binary assumed\n"
	    "f(s): acquire write s on zero when binary; await sem s on zero unless binary\n"
	    "g(n): refute binary if n is not 1\n";

	(void)state;
	expect(model, "\t%r = call i32 @f(%p)", " %r = acquire.model %p if zero\n");
	expect(model, "\t%r = call i32 @f(%p)\n\tcall @g(i32 1)",
	       " %r = acquire.model %p if zero\n");
	expect(model, "\t%r = call i32 @f(%p)\n\tcall @g(i32 2)",
	       " %r = await.sem.model %p if zero\n");
	expect(model, "\t%r = call i32 @f(%p)\n\tcall @g(%n)",
	       " %r = await.sem.model %p if zero\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_either_result), cmocka_unit_test(test_kept),
	    cmocka_unit_test(test_parts),         cmocka_unit_test(test_own_cell),
	    cmocka_unit_test(test_late_threads),  cmocka_unit_test(test_locks),
	    cmocka_unit_test(test_checked),       cmocka_unit_test(test_facts),
	    cmocka_unit_test(test_assumed),       cmocka_unit_test(test_threads),
	    cmocka_unit_test(test_events),        cmocka_unit_test(test_memory),
	    cmocka_unit_test(test_allocation),    cmocka_unit_test(test_results),
	    cmocka_unit_test(test_calls),         cmocka_unit_test(test_at_end),
	    cmocka_unit_test(test_atomics),       cmocka_unit_test(test_end),
	    cmocka_unit_test(test_dead),          cmocka_unit_test(test_unknown),
	    cmocka_unit_test(test_own_body),      cmocka_unit_test(test_choice),
	    cmocka_unit_test(test_pointers),      cmocka_unit_test(test_wrap),
	    cmocka_unit_test(test_narrow),        cmocka_unit_test(test_places),
	    cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
