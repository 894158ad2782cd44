/* test_ir_link.c - what becomes of symbols and types when units are joined. */
#include "test_ir.h"

typedef struct Linked {
	Bench b;
	Ir units[4];
	Ir out;
} Linked;

/* Links the units given as texts, the first called u0.c and so on; the result
 * is always a sound program. */
static void
link_texts(Linked *l, u32 n, const char *const *texts)
{
	static const char *const names[] = {"u0.c", "u1.c", "u2.c", "u3.c"};
	Ir *units[4];

	bench_init(&l->b);
	for (u32 k = 0; k < n; k++) {
		bench_parse(&l->b, &l->units[k], names[k], texts[k]);
		bench_check(&l->units[k]);
		units[k] = &l->units[k];
	}
	ir_init(&l->out, &l->b.arena);
	ir_link(&l->out, units, n, &l->b.diag);
	bench_check(&l->out);
}

#define LINK(l, ...)                                                                               \
	link_texts((l), COUNT(((const char *const[]){__VA_ARGS__})), (const char *const[]){__VA_ARGS__})

static u32
count_fns(const Ir *ir, const char *name)
{
	u32 n = 0;

	for (FnId f = 1; f < ir->fns.n; f++)
		n += !strcmp(ir_str(ir, ir->fns.at[f].name), name);
	return n;
}

static GlobalId
find_global(const Ir *ir, const char *name)
{
	for (GlobalId g = 1; g < ir->globals.n; g++)
		if (!strcmp(ir_str(ir, ir->globals.at[g].name), name))
			return g;
	return 0;
}

/* What function `name` returns: every body here is one ret of a constant. */
static const Const *
returned(const Ir *ir, const char *name)
{
	const Fn *f = &ir->fns.at[ir_find_fn(ir, name)];

	assert_true(f->nblock);
	return ir_const(ir, ins_arg(ir, ir_ins(ir, f->ins + f->nins - 1), 0));
}

static void
strong_over_weak(void **state)
{
	Linked l;

	(void)state;
	LINK(&l, "fn weak @f() {\n ret 1\n}\nfn @g() {\n call @f()\n ret 7\n}\n",
	     "fn @f() {\n ret 2\n}\n", "fn weak @f() {\n ret 3\n}\n");
	assert_int_equal(count_fns(&l.out, "f"), 1);
	assert_int_equal(returned(&l.out, "f")->num, 2);
	assert_int_equal(l.b.diag.errors, 0);
	assert_string_equal(ir_str(&l.out, l.out.fns.at[ir_find_fn(&l.out, "f")].unit), "u1.c");
	bench_release(&l.b);
	LINK(&l, "fn weak @f() {\n ret 1\n}\n", "fn weak @f() {\n ret 3\n}\n", "declare @f(0)\n");
	assert_int_equal(returned(&l.out, "f")->num, 1);
	bench_release(&l.b);
}

static void
common_takes_the_largest(void **state)
{
	Linked l;

	(void)state;
	LINK(&l, "global decl @a size 1\nglobal common @b size 4\n",
	     "global common @a size 4\nglobal common @b size 16\n",
	     "global common @a size 8\nglobal @b size 8 = {0: 5}\n");
	assert_int_equal(l.out.globals.n - 1, 2);
	assert_int_equal(l.out.globals.at[find_global(&l.out, "a")].size, 8);
	assert_int_equal(l.out.globals.at[find_global(&l.out, "a")].linkage, LINK_COMMON);
	assert_int_equal(l.out.globals.at[find_global(&l.out, "b")].size, 8);
	assert_int_equal(l.out.globals.at[find_global(&l.out, "b")].ninit, 1);
	bench_release(&l.b);
}

static void
internal_stays_apart(void **state)
{
	Linked l;
	const Const *x, *y;

	(void)state;
	LINK(&l, "global internal @n\nfn internal @f() {\n ret @n\n}\nfn @a() {\n ret @f\n}\n",
	     "global internal @n\nfn internal @f() {\n ret @n\n}\nfn @b() {\n ret @f\n}\n",
	     "declare @f(0)\nfn @c() {\n ret @f\n}\n");
	assert_int_equal(count_fns(&l.out, "f"), 3); /* two internal, one unresolved */
	assert_int_equal(l.out.globals.n - 1, 2);
	x = returned(&l.out, "a");
	y = returned(&l.out, "b");
	assert_int_not_equal(x->ref, y->ref);
	assert_string_equal(ir_str(&l.out, l.out.fns.at[x->ref].unit), "u0.c");
	assert_string_equal(ir_str(&l.out, l.out.fns.at[y->ref].unit), "u1.c");
	assert_int_equal(l.out.fns.at[returned(&l.out, "c")->ref].linkage, LINK_DECL);
	bench_release(&l.b);
}

static void
duplicates_are_reported(void **state)
{
	Linked l;

	(void)state;
	LINK(&l, "fn @f() {\n ret 1\n}\n", "\n\nfn @f() {\n ret 2\n}\nglobal @g\n", "global @g\n");
	assert_int_equal(l.b.diag.errors, 2);
	assert_string_equal(l.b.diag.msgs.at[0].text,
			    "f is already defined in u0.c; this definition is left out");
	assert_string_equal(l.b.diag.msgs.at[0].file, "u1.c");
	assert_int_equal(l.b.diag.msgs.at[0].line, 3);
	assert_int_equal(returned(&l.out, "f")->num, 1);
	bench_release(&l.b);
}

static void
aliases_are_resolved(void **state)
{
	Linked l;

	(void)state;
	LINK(&l,
	     "declare @g(0)\ndeclare @h(0)\nglobal decl @w\nfn @a() {\n ret @g\n}\nfn @b() {\n ret "
	     "@h\n}\nfn @c() {\n ret @w[4]\n}\n",
	     "fn internal @f() {\n ret 1\n}\nfn alias @g() alias @f\nfn alias @h() alias @g\n"
	     "global @v size 8\nglobal alias @w size 8 alias @v\n");
	assert_int_equal(l.b.diag.errors, 0);
	assert_string_equal(ir_str(&l.out, l.out.fns.at[returned(&l.out, "a")->ref].name), "f");
	assert_string_equal(ir_str(&l.out, l.out.fns.at[returned(&l.out, "b")->ref].name), "f");
	assert_int_equal(returned(&l.out, "c")->ref, find_global(&l.out, "v"));
	assert_int_equal(returned(&l.out, "c")->num, 4);
	assert_int_equal(l.out.fns.at[ir_find_fn(&l.out, "h")].linkage, LINK_ALIAS);
	bench_release(&l.b);
	/* each unit's alias overrides the other's weak definition: a circle */
	LINK(&l, "fn weak @y() {\n ret 1\n}\nfn alias @x() alias @y\n",
	     "fn weak @x() {\n ret 1\n}\nfn alias @y() alias @x\n");
	assert_int_equal(l.out.fns.n - 1, 2);
	bench_release(&l.b);
	LINK(&l, "fn @f() {\n ret 1\n}\nfn alias @g() alias @f\n", "fn @g() {\n ret 2\n}\n");
	assert_int_equal(returned(&l.out, "g")->num, 2);
	assert_int_equal(l.b.diag.errors, 0);
	bench_release(&l.b);
}

static const char node[] =
    "type t1 = int \"int\" size 4\n"
    "type t2 = struct \"struct node\" size 16 { 0: t1 \"v\"\n 8: t3 \"next\" }\n"
    "type t3 = ptr size 8 elem t2\n"
    "global internal @n size 16 type t2\n";

static void
types_merge_by_content(void **state)
{
	Linked l;

	(void)state;
	/* the same in another order, and one that differs two steps away */
	LINK(&l, node,
	     "type t1 = ptr size 8 elem t3\n"
	     "type t2 = int \"int\" size 4\n"
	     "type t3 = struct \"struct node\" size 16 { 0: t2 \"v\"\n 8: t1 \"next\" }\n"
	     "global internal @n size 16 type t3\n",
	     "type t1 = int \"int\" size 4\n"
	     "type t2 = struct \"struct node\" size 16 { 0: t1 \"v\"\n 8: t3 \"next\" }\n"
	     "type t3 = ptr size 8 elem t4\n"
	     "type t4 = struct \"struct other\" size 4\n"
	     "global internal @n size 16 type t2\n",
	     node);
	assert_int_equal(l.out.globals.at[1].type, l.out.globals.at[2].type);
	assert_int_equal(l.out.globals.at[1].type, l.out.globals.at[4].type);
	assert_int_not_equal(l.out.globals.at[1].type, l.out.globals.at[3].type);
	assert_int_equal(l.out.types.n - 1, 6);
	assert_int_equal(l.out.members.n - 1, 4);
	bench_release(&l.b);
}

/* Many types of one size that differ in kind, name or what they point to. */
static void
types_stay_apart(void **state)
{
	char text[8192];
	u32 n = 0, types = 0;
	Linked l;

	(void)state;
	for (u32 k = 0; k < 24; k++) {
		n += (u32)sprintf(text + n, "type t%u = int \"i%u\" size 8\n", types + 1, k);
		n += (u32)sprintf(text + n, "type t%u = ptr \"p%u\" size 8\n", types + 2, k);
		n += (u32)sprintf(text + n, "type t%u = ptr size 8 elem t%u\n", types + 3,
				  types + 2);
		types += 3;
	}
	n += (u32)sprintf(text + n, "type t%u = ptr \"x\" size 8 elem t%u\n", types + 1, types + 2);
	n += (u32)sprintf(text + n, "type t%u = ptr \"y\" size 8 elem t%u\n", types + 2, types + 1);
	assert_true(n < sizeof text);
	LINK(&l, text, text);
	assert_int_equal(l.out.types.n - 1, types + 2);
	bench_release(&l.b);
}

static void
classes_merge_by_name(void **state)
{
	Linked l;
	const Class *a;

	(void)state;
	LINK(&l,
	     "type t1 = int size 4\n"
	     "class c1 = \"B\" super c2 { field f1: t1 \"z\" }\n"
	     "class c2 = \"A\" { field f2: t1 \"x\" }\n"
	     "fn @u(%p: ptr) {\n %q = field.java %p + 0 in f2\n ret %q\n}\n",
	     "type t1 = int size 4\n"
	     "class c1 = \"A\" { field f1: t1 \"y\"\n field f2: t1 \"x\"\n method @m }\n"
	     "fn @m(%p: ptr) class c1 {\n %q = field.java %p + 0 in f2\n ret %q\n}\n");
	assert_int_equal(l.out.classes.n - 1, 2);
	assert_int_equal(l.out.fields.n - 1, 3);
	a = &l.out.classes.at[2];
	assert_string_equal(ir_str(&l.out, a->name), "A");
	assert_int_equal(a->nfield, 2);
	assert_int_equal(a->nmethod, 1);
	assert_int_equal(ir_ins(&l.out, l.out.fns.at[1].ins)->aux,
			 ir_ins(&l.out, l.out.fns.at[2].ins)->aux);
	bench_release(&l.b);
}

/* Two classes of one name, or units that contradict each other. */
static void
classes_that_inherit_from_themselves(void **state)
{
	Linked l;

	(void)state;
	LINK(&l, "class c1 = \"B\" super c2 { }\nclass c2 = \"B\" { }\n");
	assert_int_equal(l.out.assumes.n - 1, 1);
	bench_release(&l.b);
	LINK(&l, "class c1 = \"A\" super c2 { }\nclass c2 = \"B\" { }\n",
	     "class c1 = \"B\" { iface c2 }\nclass c2 = \"A\" { }\n",
	     "class c1 = \"C\" super c2 { }\nclass c2 = \"A\" { }\n");
	assert_int_equal(l.out.assumes.n - 1, 2);
	for (ClassId c = 1; c <= 2; c++)
		assert_int_equal(l.out.classes.at[c].super + l.out.classes.at[c].niface, 0);
	assert_int_equal(l.out.classes.at[3].super, 1);
	bench_release(&l.b);
}

static void
other_layouts_are_left_out(void **state)
{
	Linked l;

	(void)state;
	LINK(&l, "unit \"a.c\" hash 1 ptr 4\nfn @f() {\n ret null\n}\n", "fn @g() {\n ret 1\n}\n",
	     "unit \"c.c\" hash 1 ptr 4\nfn @h() {\n ret null\n}\n");
	assert_int_equal(l.b.diag.errors, 1);
	assert_string_equal(l.b.diag.msgs.at[0].file, "u1.c");
	assert_int_equal(l.out.ptr_bytes, 4);
	assert_int_equal(ir_find_fn(&l.out, "g"), 0);
	assert_int_not_equal(ir_find_fn(&l.out, "h"), 0);
	assert_int_equal(returned(&l.out, "h")->width, 32);
	bench_release(&l.b);
}

/* Lines sorted: what the program says, whatever the ids. */
static int
compare(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

static char *
sorted_lines(Bench *b, const char *text)
{
	Vec(char *) lines = {0};
	char *copy = arena_strdup(&b->arena, text), *all = "";

	for (char *s = strtok(copy, "\n"); s; s = strtok(NULL, "\n"))
		vec_push(&b->arena, &lines, s);
	qsort(lines.at, lines.n, sizeof *lines.at, compare);
	for (u32 k = 0; k < lines.n; k++)
		all = arena_printf(&b->arena, "%s\n%s", all, lines.at[k]);
	return all;
}

static void
order_decides_only_ids(void **state)
{
	static const char a[] =
	    "global @g size 8 = {0: @h}\nglobal decl @h\ndeclare @k(0)\n"
	    "fn @f(%x) {\na:\n br b\nb:\n %y = phi [a: %x]\n call @k()\n ret %y\n}\n";
	static const char b[] = "global @h size 4\nfn @k() {\n store @h, 1\n ret\n}\n";
	Linked x, y;

	(void)state;
	LINK(&x, a, b);
	LINK(&y, a, b); /* the same bytes again ... */
	assert_string_equal(bench_print(&x.b, &x.out), bench_print(&x.b, &y.out));
	bench_release(&y.b);
	bench_init(&y.b); /* ... and the other way round the same lines */
	ir_init(&y.out, &y.b.arena);
	ir_link(&y.out, (Ir *[]){&x.units[1], &x.units[0]}, 2, &y.b.diag);
	bench_check(&y.out);
	assert_string_equal(sorted_lines(&x.b, bench_print(&x.b, &x.out)),
			    sorted_lines(&x.b, bench_print(&x.b, &y.out)));
	bench_release(&y.b);
	bench_release(&x.b);
}

/* A random unit linked alone says the same, and two of them stay sound. */
static void
random_units(void **state)
{
	Rand r = {23};

	(void)state;
	for (u32 k = 0; k < 150; k++) {
		Linked l;
		bench_init(&l.b);
		for (u32 j = 0; j < 2; j++) {
			ir_init(&l.units[j], &l.b.arena);
			random_program(&l.units[j], &r);
		}
		ir_init(&l.out, &l.b.arena);
		ir_link(&l.out, (Ir *[]){&l.units[0], &l.units[1]}, 2, &l.b.diag);
		bench_check(&l.out);
		assert_int_equal(l.out.ins.n - 1, l.units[0].ins.n - 1 + l.units[1].ins.n - 1);
		assert_int_equal(l.out.fns.n - 1, l.units[0].fns.n - 1 + l.units[1].fns.n - 1);
		bench_release(&l.b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(strong_over_weak),
	    cmocka_unit_test(common_takes_the_largest),
	    cmocka_unit_test(internal_stays_apart),
	    cmocka_unit_test(duplicates_are_reported),
	    cmocka_unit_test(aliases_are_resolved),
	    cmocka_unit_test(types_merge_by_content),
	    cmocka_unit_test(types_stay_apart),
	    cmocka_unit_test(classes_merge_by_name),
	    cmocka_unit_test(classes_that_inherit_from_themselves),
	    cmocka_unit_test(other_layouts_are_left_out),
	    cmocka_unit_test(order_decides_only_ids),
	    cmocka_unit_test(random_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
