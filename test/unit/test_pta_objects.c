/* test_pta_objects.c - contexts of methods by their receivers, and what virtual calls run. */
#include "pta_case.h"

/* Boxes hold what is put into them; a Pair has two Boxes, made in its constructor. */
static const char boxes[] = "type t1 = class \"Box\" size 16\n"
			    "type t2 = class \"Sub\" size 16\n"
			    "type t3 = class \"Pair\" size 16\n"
			    "class c1 = \"Box\" { field f1: t0 \"v\"\n"
			    "	method @\"Box.put(L)V\"\n	method @\"Box.get()L\" }\n"
			    "class c2 = \"Sub\" super c1 { method @\"Sub.get()L\" }\n"
			    "class c3 = \"Pair\" { field f2: t0 \"b\"\n"
			    "	method @\"Pair.<init>()V\"\n	method @\"Pair.box()L\" }\n"
			    "class c4 = \"Other\" super c1 { method @\"Other.get()L\" }\n"
			    "global @x size 8\n"
			    "global @y size 8\n"
			    "global @z size 8\n"
			    "fn @\"Box.put(L)V\"(%this: ptr, %v: ptr) class c1 {\n"
			    "	%f = field.java %this + 8 in f1\n"
			    "	store ptr %f, %v\n"
			    "	ret\n"
			    "}\n"
			    "fn @\"Box.get()L\"(%this: ptr) -> ptr class c1 {\n"
			    "	%f = field.java %this + 8 in f1\n"
			    "	%v = load ptr %f\n"
			    "	ret %v\n"
			    "}\n"
			    "fn @\"Sub.get()L\"(%this: ptr) -> ptr class c2 {\n"
			    "	ret @z\n"
			    "}\n"
			    "fn @\"Other.get()L\"(%this: ptr) -> ptr class c4 {\n"
			    "	ret null\n"
			    "}\n"
			    "fn @\"Pair.<init>()V\"(%this: ptr) constructor class c3 {\n"
			    "	%b = alloc.heap type t1\n"
			    "	%f = field.java %this + 8 in f2\n"
			    "	store ptr %f, %b\n"
			    "	ret\n"
			    "}\n"
			    "fn @\"Pair.box()L\"(%this: ptr) -> ptr class c3 {\n"
			    "	%f = field.java %this + 8 in f2\n"
			    "	%b = load ptr %f\n"
			    "	ret %b\n"
			    "}\n"
			    "fn @same(%p: ptr) -> ptr static class c1 {\n"
			    "	ret %p\n"
			    "}\n"
			    "fn @main() {\n"
			    "	%a = alloc.heap type t1\n"
			    "	%b = alloc.heap type t1\n"
			    "	%s = alloc.heap type t2\n"
			    "	call.virtual @\"Box.put(L)V\"(%a, @x) method \"put(L)V\"\n"
			    "	call.virtual @\"Box.put(L)V\"(%b, @y) method \"put(L)V\"\n"
			    "	%ra = call.virtual ptr @\"Box.get()L\"(%a) method \"get()L\"\n"
			    "	%rb = call.virtual ptr @\"Box.get()L\"(%b) method \"get()L\"\n"
			    "	%any = nondet i1\n"
			    "	%e = select %any, %b, %s\n"
			    "	%re = call.virtual ptr @\"Box.get()L\"(%e) method \"get()L\"\n"
			    "	%p = alloc.heap type t3\n"
			    "	%q = alloc.heap type t3\n"
			    "	call @\"Pair.<init>()V\"(%p)\n"
			    "	call @\"Pair.<init>()V\"(%q)\n"
			    "	%pb = call.virtual ptr @\"Pair.box()L\"(%p) method \"box()L\"\n"
			    "	%qb = call.virtual ptr @\"Pair.box()L\"(%q) method \"box()L\"\n"
			    "	call.virtual @\"Box.put(L)V\"(%pb, @x) method \"put(L)V\"\n"
			    "	call.virtual @\"Box.put(L)V\"(%qb, @y) method \"put(L)V\"\n"
			    "	%rp = call.virtual ptr @\"Box.get()L\"(%pb) method \"get()L\"\n"
			    "	%rq = call.virtual ptr @\"Box.get()L\"(%qb) method \"get()L\"\n"
			    "	%sa = call ptr @same(%a)\n"
			    "	ret\n"
			    "}\n";

/* A method gets the receivers that dispatch to it, whatever the contexts. */
static void
test_dispatch(void **state)
{
	Case c;

	(void)state;
	for (u32 policy = PTA_AUTO; policy <= PTA_OBJECT; policy++) {
		solve(&c, boxes, (PtaOptions){.policy = (PtaPolicy)policy, .k = 1});
		assert_string_equal(pts(&c, "Sub.get()L", "this"), "main.s+0");
		assert_null(strstr(pts(&c, "Box.get()L", "this"), "main.s"));
		assert_non_null(strstr(pts(&c, "main", "re"), "@z+0"));
		assert_string_equal(pts(&c, "main", "sa"), "main.a+0");
		assert_null(strstr(callees(&c, "main"), "Other"));
		done(&c);
	}
}

static void
test_objects(void **state)
{
	Case c;

	(void)state;
	solve(&c, boxes, (PtaOptions){.policy = PTA_INSENSITIVE});
	assert_string_equal(pts(&c, "main", "ra"), "@x+0 @y+0");
	assert_string_equal(pts(&c, "main", "rp"), "@x+0 @y+0");
	done(&c);
	solve(&c, boxes, (PtaOptions){.policy = PTA_OBJECT, .k = 1});
	assert_string_equal(pts(&c, "main", "ra"), "@x+0");
	assert_string_equal(pts(&c, "main", "rb"), "@y+0");
	assert_string_equal(pts(&c, "main", "re"), "@y+0 @z+0");
	/* The boxes of two pairs are two objects, but of one allocation. */
	assert_int_equal(instances(&c, "Pair.<init>()V"), 2);
	assert_false(set_meets(pta_pts(c.pta, c.pta->root, find_reg(&c, "main", "pb")),
			       pta_pts(c.pta, c.pta->root, find_reg(&c, "main", "qb"))));
	assert_string_equal(pts(&c, "main", "rp"), "@x+0 @y+0");
	assert_int_equal(instances(&c, "Box.put(L)V"), 3);
	done(&c);
	solve(&c, boxes, (PtaOptions){.policy = PTA_OBJECT, .k = 2});
	assert_string_equal(pts(&c, "main", "rp"), "@x+0");
	assert_string_equal(pts(&c, "main", "rq"), "@y+0");
	assert_int_equal(instances(&c, "Box.put(L)V"), 4);
	assert_int_equal(c.pta->widened, 0);
	done(&c);
}

/* Without room for contexts all share the empty one, and nothing is lost. */
static void
test_bound(void **state)
{
	Case c;

	(void)state;
	solve(&c, boxes, (PtaOptions){.policy = PTA_OBJECT, .k = 2, .max_insts = 1});
	assert_true(c.pta->widened > 0);
	assert_non_null(strstr(pts(&c, "main", "ra"), "@x+0"));
	assert_non_null(strstr(pts(&c, "main", "rb"), "@y+0"));
	assert_non_null(strstr(pts(&c, "main", "rq"), "@y+0"));
	done(&c);
}

static void
test_hierarchy(void **state)
{
	Case c;

	(void)state;
	solve(&c, boxes, (PtaOptions){.policy = PTA_INSENSITIVE, .hierarchy = true});
	assert_non_null(strstr(callees(&c, "main"), "Other.get()L"));
	assert_string_equal(pts(&c, "Other.get()L", "this"), "");
	assert_string_equal(pts(&c, "Sub.get()L", "this"), "main.s+0");
	done(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_dispatch),
	    cmocka_unit_test(test_objects),
	    cmocka_unit_test(test_bound),
	    cmocka_unit_test(test_hierarchy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
