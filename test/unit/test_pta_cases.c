/* test_pta_cases.c - points-to and call graph on small programs, by hand.
 *
 * Each case is a program in text, and what some registers point to. */
#include "pta_case.h"

#include "pta/pta_int.h"

static const PtaOptions plain = {.policy = PTA_INSENSITIVE};

static void
test_fields(void **state)
{
	Case c;

	(void)state;
	/* struct { int a; struct { ptr x, y; } in; } s; */
	solve(&c,
	      "global @s size 24\n"
	      "global @g size 4\n"
	      "global @h size 4\n"
	      "fn @main() {\n"
	      "b1:\n"
	      "	%in = field @s + 8\n"
	      "	%x = field %in + 0\n"
	      "	%y = field %in + 8\n"
	      "	store ptr %x, @g\n"
	      "	store ptr %y, @h\n"
	      "	%px = load ptr @s[8]\n"
	      "	%py = load ptr @s[16]\n"
	      "	%pa = load ptr @s\n"
	      "	%pn = load i32 @s[4]\n"
	      "	%half = load i32 @s[20]\n"
	      "	%back = field %y + -16\n"
	      "	ret\n"
	      "}\n",
	      plain);
	assert_string_equal(pts(&c, "main", "px"), "@g+0");
	assert_string_equal(pts(&c, "main", "py"), "@h+0");
	assert_string_equal(pts(&c, "main", "pa"), "");
	assert_string_equal(pts(&c, "main", "pn"), "");
	assert_string_equal(pts(&c, "main", "half"), "@h+0"); /* a union's other half */
	assert_string_equal(pts(&c, "main", "back"), "@s+0");
	done(&c);
}

static void
test_arrays(void **state)
{
	Case c;

	(void)state;
	/* struct { ptr a, b; } t[4]; i unknown */
	solve(&c,
	      "global @t size 64\n"
	      "global @g size 4\n"
	      "global @h size 4\n"
	      "global @k size 4\n"
	      "fn @main(%i: i64) {\n"
	      "b1:\n"
	      "	%e = index @t + %i * 16\n"
	      "	%eb = field %e + 8\n"
	      "	store ptr %e, @g\n"
	      "	store ptr %eb, @h\n"
	      "	store ptr @t[32], @k\n"
	      "	%two = index @t + 2 * 16\n"
	      "	%a2 = load ptr %two\n"
	      "	%a3 = load ptr @t[48]\n"
	      "	%b3 = load ptr @t[56]\n"
	      "	%any = load ptr %e\n"
	      "	%odd = index %eb + %i * 24\n"
	      "	br b2\n"
	      "b2:\n"
	      "	%p = phi ptr [b1: @t[8]], [b2: %q]\n"
	      "	%q = field %p + 16\n"
	      "	%l = load ptr %p\n"
	      "	%z = eq i64 %i, 0\n"
	      "	cbr %z, b2, b3\n"
	      "b3:\n"
	      "	ret\n"
	      "}\n",
	      plain);
	assert_string_equal(pts(&c, "main", "eb"), "@t+8%16");
	assert_string_equal(pts(&c, "main", "two"), "@t+32");
	assert_string_equal(pts(&c, "main", "a2"), "@g+0 @k+0");
	assert_string_equal(pts(&c, "main", "a3"), "@g+0"); /* exact cells stay apart */
	assert_string_equal(pts(&c, "main", "b3"), "@h+0");
	assert_string_equal(pts(&c, "main", "any"), "@g+0 @k+0");
	assert_string_equal(pts(&c, "main", "odd"), "@t+0%8");
	assert_string_equal(pts(&c, "main", "p"), "@t+8 @t+8%16");
	assert_string_equal(pts(&c, "main", "l"), "@h+0");
	done(&c);
}

static void
test_integers(void **state)
{
	Case c;

	(void)state;
	solve(&c,
	      "global @g size 64\n"
	      "global @h size 8\n"
	      "fn @main(%n: i64) {\n"
	      "b1:\n"
	      "	%i = ptrtoint i64 @g from 64\n"
	      "	%i8 = add i64 %i, 8\n"
	      "	%tag = or i64 %i8, 1\n"
	      "	%clear = and i64 %tag, -8\n"
	      "	%bits = and i64 %tag, 7\n"
	      "	%p = inttoptr ptr %clear from 64\n"
	      "	%t = trunc i32 %i from 64\n"
	      "	%some = add i64 %i8, %n\n"
	      "	%less = sub i64 %i8, 8\n"
	      "	%dist = sub i64 %n, %i\n"
	      "	store i64 @h, %i8\n"
	      "	%out = load ptr @h\n"
	      "	%base = index null + %i * 1\n"
	      "	%far = field %out + 100000\n"
	      "	ret\n"
	      "}\n",
	      plain);
	assert_string_equal(pts(&c, "main", "tag"), "@g+9");
	assert_string_equal(pts(&c, "main", "p"), "@g+8");
	assert_string_equal(pts(&c, "main", "bits"), "");
	assert_string_equal(pts(&c, "main", "t"), "@g+0");
	assert_string_equal(pts(&c, "main", "some"), "@g+0%1");
	assert_string_equal(pts(&c, "main", "less"), "@g+0");
	assert_string_equal(pts(&c, "main", "dist"), "");
	assert_string_equal(pts(&c, "main", "out"), "@g+8");
	assert_string_equal(pts(&c, "main", "base"), "@g+0%1");
	assert_string_equal(pts(&c, "main", "far"), "@g+0%1"); /* widened, not lost */
	done(&c);
}

static void
test_tables(void **state)
{
	Case c;

	(void)state;
	solve(&c,
	      "global @ops size 16 = {0: @f, 8: @g}\n"
	      "global @self size 8 = {0: @self}\n"
	      "fn @f(%x: ptr) -> ptr {\n"
	      "b1:\n"
	      "	ret ptr %x\n"
	      "}\n"
	      "fn @g(%x: ptr) -> ptr {\n"
	      "b1:\n"
	      "	%r = call ptr %x()\n"
	      "	ret ptr %r\n"
	      "}\n"
	      "fn @cb() -> ptr {\n"
	      "b1:\n"
	      "	ret ptr @self\n"
	      "}\n"
	      "fn @main() {\n"
	      "b1:\n"
	      "	%pf = load ptr @ops\n"
	      "	%pg = load ptr @ops[8]\n"
	      "	%a = call ptr %pf(@ops)\n"
	      "	%b = call ptr %pg(@cb)\n"
	      "	%c = load ptr %b\n"
	      "	ret\n"
	      "}\n",
	      plain);
	assert_string_equal(pts(&c, "main", "pf"), "&f");
	assert_string_equal(pts(&c, "main", "a"), "@ops+0");
	assert_string_equal(pts(&c, "main", "b"), "@self+0");
	assert_string_equal(pts(&c, "main", "c"), "@self+0");
	assert_string_equal(callees(&c, "main"), "f g");
	assert_string_equal(callees(&c, "g"), "cb");
	done(&c);
}

static const char wrappers[] = "global @x size 8\n"
			       "global @y size 8\n"
			       "fn @inner(%n: i64) -> ptr {\n"
			       "b1:\n"
			       "	%p = alloc.heap %n\n"
			       "	ret ptr %p\n"
			       "}\n"
			       "fn @make(%n: i64) -> ptr {\n"
			       "b1:\n"
			       "	%p = call ptr @inner(%n)\n"
			       "	ret ptr %p\n"
			       "}\n"
			       "fn @start(%f: ptr, %h: ptr) {\n"
			       "b1:\n"
			       "	%r = fork %h, %f, %h\n"
			       "	ret\n"
			       "}\n"
			       "fn @w1(%a: ptr) -> ptr {\n"
			       "b1:\n"
			       "	ret ptr @x\n"
			       "}\n"
			       "fn @w2(%a: ptr) -> ptr {\n"
			       "b1:\n"
			       "	call @end()\n"
			       "	ret null\n"
			       "}\n"
			       "fn @end() {\n"
			       "b1:\n"
			       "	texit @y\n"
			       "}\n"
			       "fn @rec(%d: ptr) -> ptr {\n"
			       "b1:\n"
			       "	%m = call ptr @inner(8)\n"
			       "	%q = call ptr @rec(%m)\n"
			       "	ret ptr %d\n"
			       "}\n"
			       "fn @main() {\n"
			       "b1:\n"
			       "	%h1 = alloc.stack 8\n"
			       "	%h2 = alloc.stack 8\n"
			       "	%out = alloc.stack 8\n"
			       "	%a = call ptr @make(8)\n"
			       "	%b = call ptr @make(16)\n"
			       "	store ptr %a, @x\n"
			       "	%bx = load ptr %b\n"
			       "	%ax = load ptr %a\n"
			       "	call @start(@w1, %h1)\n"
			       "	call @start(@w2, %h2)\n"
			       "	%t1 = load i64 %h1\n"
			       "	%t2 = load i64 %h2\n"
			       "	%j = join %t1, %out\n"
			       "	%res = load ptr %out\n"
			       "	%out2 = alloc.stack 8\n"
			       "	%j2 = join %t2, %out2\n"
			       "	%res2 = load ptr %out2\n"
			       "	%q = call ptr @rec(%a)\n"
			       "	ret\n"
			       "}\n";

static void
test_wrappers(void **state)
{
	Case c;
	InstId root;

	(void)state;
	solve(&c, wrappers, (PtaOptions){.policy = PTA_AUTO});
	root = c.pta->root;
	assert_string_equal(pts(&c, "main", "a"), "inner.p+0");
	assert_string_equal(pts(&c, "main", "b"), "inner.p+0");
	assert_false(set_meets(pta_pts(c.pta, root, find_reg(&c, "main", "a")),
			       pta_pts(c.pta, root, find_reg(&c, "main", "b"))));
	assert_string_equal(pts(&c, "main", "ax"), "@x+0");
	assert_string_equal(pts(&c, "main", "bx"), "");
	assert_string_equal(pts(&c, "main", "t1"), "!start");
	assert_false(set_meets(pta_pts(c.pta, root, find_reg(&c, "main", "t1")),
			       pta_pts(c.pta, root, find_reg(&c, "main", "t2"))));
	assert_string_equal(pts(&c, "main", "res"), "@x+0"); /* w1 reaches no texit */
	assert_string_equal(pts(&c, "main", "res2"), "@y+0");
	assert_string_equal(pts(&c, "w1", "a"), "main.h1+0");
	assert_string_equal(pts(&c, "w2", "a"), "main.h2+0");
	assert_string_equal(callees(&c, "start"), "*w1 *w2");
	assert_int_equal(instances(&c, "start"), 2);
	assert_int_equal(instances(&c, "rec"), 1); /* recursive: not cloned */
	done(&c);
	solve(&c, wrappers, plain);
	assert_int_equal(instances(&c, "start"), 1);
	assert_string_equal(pts(&c, "main", "bx"), "@x+0");
	done(&c);
}

static void
test_clone_bound(void **state)
{
	Case c;

	(void)state;
	solve(&c, wrappers, (PtaOptions){.policy = PTA_AUTO, .max_insts = 1});
	assert_true(c.pta->insts.n - 1 <= 9); /* eight functions, one clone */
	assert_string_equal(pts(&c, "main", "ax"), "@x+0");
	done(&c);
	solve(&c, wrappers, (PtaOptions){.policy = PTA_CALLSITE, .k = 2});
	assert_int_equal(instances(&c, "rec"), 3); /* main; main rec; rec rec */
	done(&c);
}

static void
test_bcopy(void **state)
{
	Case c;

	(void)state;
	solve(&c,
	      "global @s size 32 = {0: @a, 8: @b, 24: @c}\n"
	      "global @d size 64\n"
	      "global @e size 32\n"
	      "global @a size 4\n"
	      "global @b size 4\n"
	      "global @c size 4\n"
	      "fn @main(%n: i64) {\n"
	      "b1:\n"
	      "	bcopy @d[16], @s[8], 16\n"
	      "	%d16 = load ptr @d[16]\n"
	      "	%d32 = load ptr @d[32]\n"
	      "	bcopy @e, @s[8], %n\n"
	      "	%e0 = load ptr @e\n"
	      "	%e8 = load ptr @e[8]\n"
	      "	%e16 = load ptr @e[16]\n"
	      "	%el = index @d + %n * 32\n"
	      "	bcopy %el, @s, 32\n"
	      "	%d56 = load ptr @d[56]\n"
	      "	ret\n"
	      "}\n",
	      plain);
	assert_string_equal(pts(&c, "main", "d16"), "@b+0");
	assert_string_equal(pts(&c, "main", "d32"), "@a+0");
	assert_string_equal(pts(&c, "main", "e0"), "@b+0");
	assert_string_equal(pts(&c, "main", "e8"), "");
	assert_string_equal(pts(&c, "main", "e16"), "@c+0");
	assert_string_equal(pts(&c, "main", "d56"), "@c+0");
	done(&c);
}

static void
test_unknown(void **state)
{
	Case c;

	(void)state;
	solve(&c,
	      "global @g size 16 = {8: @h}\n"
	      "global @h size 8\n"
	      "global @k size 8\n"
	      "global @free size 8\n"
	      "fn @cb(%x: ptr) {\n"
	      "b1:\n"
	      "	%y = load ptr %x\n"
	      "	ret\n"
	      "}\n"
	      "fn @va(%fmt: ptr) variadic {\n"
	      "b1:\n"
	      "	%list = alloc.stack 24\n"
	      "	%any = nondet.rest ptr\n"
	      "	store ptr %list, %any\n"
	      "	extern \"print\"(%fmt)\n"
	      "	%arg = load ptr %list\n"
	      "	ret\n"
	      "}\n"
	      "fn @main(%argc: i32, %argv: ptr) {\n"
	      "b1:\n"
	      "	%r = extern ptr \"get\"(@g, @cb)\n"
	      "	%in = load ptr @h\n"
	      "	%own = load ptr @free\n"
	      "	store ptr %r, @k\n"
	      "	%arg0 = load ptr %argv\n"
	      "	call @va(@g, @free)\n"
	      "	ret\n"
	      "}\n",
	      plain);
	/* All that escaped, and what only they know; stored to, it is known too. */
	assert_string_equal(pts(&c, "main", "r"), "&cb ? @g+0 @h+0 @k+0");
	assert_string_equal(pts(&c, "main", "in"), pts(&c, "main", "r"));
	assert_string_equal(pts(&c, "main", "own"), "");
	assert_string_equal(pts(&c, "cb", "x"), pts(&c, "main", "r"));
	assert_string_equal(callees(&c, "main"), "cb va");
	assert_string_equal(callees(&c, "va"), "cb");
	assert_string_equal(pts(&c, "va", "arg"), "@free+0"); /* not what others pass or know */
	done(&c);
}

static void
test_fold(void **state)
{
	Case c;

	(void)state;
	/* A pointer kept in memory that walks on and on is seen to walk. */
	solve(&c,
	      "global @g size 4000\n"
	      "global @p size 8 = {0: @g}\n"
	      "fn @main() {\n"
	      "b1:\n"
	      "	store ptr @g[16], @p\n"
	      "	br b2\n"
	      "b2:\n"
	      "	%x = load ptr @p\n"
	      "	%y = field %x + 8\n"
	      "	store ptr @p, %y\n"
	      "	%l = load ptr @g[800]\n"
	      "	br b2\n"
	      "}\n",
	      (PtaOptions){.policy = PTA_INSENSITIVE, .max_slots = 16});
	assert_int_equal(c.pta->folded, 0);
	assert_string_equal(
	    pts(&c, "main", "x"),
	    "@g+0 @g+0%8 @g+16 @g+24 @g+32 @g+40 @g+48 @g+56 @g+64 @g+72 @g+8 @g+80");
	assert_string_equal(pts(&c, "main", "l"), "");
	done(&c);
	/* More places than are told apart; a number is still no pointer. */
	solve(&c,
	      "global @g size 64\n"
	      "fn @main(%i: i64) {\n"
	      "b1:\n"
	      "	%a = field @g + 4\n"
	      "	%b = field @g + 8\n"
	      "	%c = field @g + 12\n"
	      "	%d = field @g + 16\n"
	      "	%e = field @g + 24\n"
	      "	store ptr %b, @g\n"
	      "	store w32 %a, 7\n"
	      "	%n = load %c\n"
	      "	%p = load ptr %d\n"
	      "	ret\n"
	      "}\n",
	      (PtaOptions){.policy = PTA_INSENSITIVE, .max_slots = 4});
	assert_int_equal(c.pta->folded, 1);
	assert_string_equal(pts(&c, "main", "e"), "@g+0%1");
	assert_string_equal(pts(&c, "main", "p"), "@g+0%1");
	assert_string_equal(pts(&c, "main", "n"), "");
	done(&c);
}

/* Loads narrower than a pointer. */
static void
test_narrow(void **state)
{
	Case c;

	(void)state;
	solve(&c,
	      "global @s size 32 = {24: @x}\n"
	      "global @t size 32\n"
	      "global @x size 8\n"
	      "global @half size 8\n"
	      "fn @main(%i: i64) {\n"
	      "b1:\n"
	      "	%at = index @s + %i * 4\n"
	      "	%n = load %at\n" /* a number among numbers, as far as can be told */
	      "	%more = add %n, 1\n"
	      "	store w32 %at, %more\n"
	      "	%low = load @s[24]\n" /* certainly the pointer's own bytes */
	      "	%from = index @s + %i * 1\n"
	      "	%byte = load i8 %from\n" /* moved */
	      "	%to = index @t + %i * 1\n"
	      "	store w8 %to, %byte\n"
	      "	%copy = load ptr @t[16]\n"
	      "	%cut = trunc i32 @x from 64\n"
	      "	store w32 @half, %cut\n"
	      "	%cut2 = load @half\n"
	      "	%whole = load ptr @half\n"
	      "	%one = load i16 %from\n" /* put together again */
	      "	%wide = zext i64 %one from 16\n"
	      "	%up = shl i64 %wide, 16\n"
	      "	%all = or i64 %up, %wide\n"
	      "	%q = inttoptr ptr %all from 64\n"
	      "	ret\n"
	      "}\n",
	      plain);
	assert_string_equal(pts(&c, "main", "n"), "");
	assert_string_equal(pts(&c, "main", "more"), "");
	assert_string_equal(pts(&c, "main", "low"), "@x+0");
	assert_string_equal(pts(&c, "main", "byte"), "@x+0");
	assert_string_equal(pts(&c, "main", "copy"), "@x+0");
	assert_string_equal(pts(&c, "main", "cut2"), "@x+0");
	assert_string_equal(pts(&c, "main", "whole"), "@x+0");
	assert_string_equal(pts(&c, "main", "one"), "@x+0");
	assert_string_equal(pts(&c, "main", "q"), "@x+0%1");
	done(&c);
}

/* A call through a pointer, by the types: @one fits the first call, so it is not
 * a target of the second; @loose fits none, so it is one of both. */
static void
test_signatures(void **state)
{
	Case c;

	(void)state;
	solve(&c,
	      "global @tab size 32 = {0: @one, 8: @two, 16: @loose}\n"
	      "fn @one(%p1: ptr) {\nb1:\n	ret\n}\n"
	      "fn @two(%p2: ptr, %q2: i32) {\nb1:\n	ret\n}\n"
	      "fn @loose(%p3: ptr, %q3: ptr, %r3: ptr) {\nb1:\n	ret\n}\n"
	      "fn @main(%i: i64, %n: i32) {\n"
	      "b1:\n"
	      "	%x = alloc.heap 8\n"
	      "	%y = alloc.heap 8\n"
	      "	%at = index @tab + %i * 8\n"
	      "	%f = load ptr %at\n"
	      "	call %f(%x)\n"
	      "	call %f(%y, %n)\n"
	      "	ret\n"
	      "}\n",
	      plain);
	assert_string_equal(pts(&c, "one", "p1"), "main.x+0");
	assert_string_equal(pts(&c, "two", "p2"), "main.y+0");
	assert_string_equal(pts(&c, "loose", "p3"), "main.x+0 main.y+0");
	assert_true(c.pta->strict);
	done(&c);
}

enum { MANY = 4500, LINE = 96 }; /* variables, and the bytes of text for each */

/* A program whose functions load and store through one pointer to many variables, and through
 * another to every second of them. */
static char *
many_places(Arena *a)
{
	char *text = arena_array(a, char, MANY *LINE), *at = text;

	at += sprintf(at, "global @all size 8\nglobal @some size 8\nglobal @x size 4\n"
			  "global @y size 4\nglobal @z size 4\n");
	for (u32 i = 0; i < MANY; i++)
		at += sprintf(at, "global @g%u size 8\n", i);
	at += sprintf(at, "fn @main() {\nb1:\n");
	for (u32 i = 0; i < MANY; i++)
		at += sprintf(at, "	store ptr @all, @g%u\n", i);
	for (u32 i = 1; i < MANY; i += 2)
		at += sprintf(at, "	store ptr @some, @g%u\n", i);
	at += sprintf(at, "	call @f1(@x)\n	call @f2(@y)\n	call @odd(@z)\n"
			  "	%%even = load ptr @g2\n	%%odd = load ptr @g3\n	ret\n}\n");
	for (u32 f = 0; f < 3; f++)
		at += sprintf(at,
			      "fn @%s(%%v: ptr) {\nb1:\n	%%p = load ptr @%s\n"
			      "	store ptr %%p, %%v\n	%%l = load ptr %%p\n	ret\n}\n",
			      f == 0   ? "f1"
			      : f == 1 ? "f2"
				       : "odd",
			      f == 2 ? "some" : "all");
	assert_true(at < text + MANY * LINE);
	return text;
}

/* What is loaded and stored through the same pointers is that of each place (bundle.c). */
static void
test_many_places(void **state)
{
	Arena a;
	Case c;

	(void)state;
	arena_init(&a, NULL);
	solve(&c, many_places(&a), plain);
	assert_string_equal(pts(&c, "f1", "l"), "@x+0 @y+0 @z+0");
	assert_string_equal(pts(&c, "f2", "l"), "@x+0 @y+0 @z+0");
	assert_string_equal(pts(&c, "odd", "l"), "@x+0 @y+0 @z+0");
	assert_string_equal(pts(&c, "main", "even"), "@x+0 @y+0");
	assert_string_equal(pts(&c, "main", "odd"), "@x+0 @y+0 @z+0");
	assert_true(c.pta->solver->bundle.n > 0);
	done(&c);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fields),     cmocka_unit_test(test_arrays),
	    cmocka_unit_test(test_integers),   cmocka_unit_test(test_tables),
	    cmocka_unit_test(test_wrappers),   cmocka_unit_test(test_clone_bound),
	    cmocka_unit_test(test_bcopy),      cmocka_unit_test(test_unknown),
	    cmocka_unit_test(test_fold),       cmocka_unit_test(test_narrow),
	    cmocka_unit_test(test_signatures), cmocka_unit_test(test_many_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
