/* test_jvm_load.c - methods are lowered where the call graph reaches them: by
 * virtual calls on classes that are made, initialisers, lambdas, names in
 * strings, services and logs; what has a model is not; what is missing, cyclic
 * or misnamed is said, and the rest is loaded, the same for any -j. */
#include "unit.h"

#include "base/diag.h"
#include "base/file.h"
#include "jvm/jvm.h"
#include "jvm/load.h"

#include <stdlib.h>
#include <string.h>

static const char program[] =
    "package p;\n"
    "interface Shape { int area(); default int twice() { return 2 * area(); } }\n"
    "class Square implements Shape { public int area() { return 4; } void unused() {} }\n"
    "class Circle implements Shape { public int area() { return 3; } }\n"
    "class Round extends Circle { public int twice() { return 7; } }\n"
    "class Config { static int size; static { size = start(); } static int start() { return 9; }\n"
    "  static int never() { return 1; } }\n"
    "class Plugin { Plugin() { work(); } void work() {} }\n"
    "class Provider { Provider() { serve(); } void serve() {} }\n"
    "class Logged { Logged(int x) {} static void called(String s, int[] a) {} void other() {} }\n"
    "class Modelled { static void lock() { inside(); } static void inside() {} }\n"
    "class Gone { static void call() {} }\n"
    "class Up extends Down {} class Down {}\n"
    "public class Main {\n"
    "  static Shape make() { return new Square(); }\n"
    "  static void run(Runnable r) { r.run(); }\n"
    "  static void inLambda() {}\n"
    "  static void elsewhere() { new Round(); }\n"
    "  public static void main(String[] args) {\n"
    "    make().twice(); run(() -> inLambda()); int s = Config.size; String n = \"p.Plugin\";\n"
    "    Modelled.lock(); Gone.call(); Object o = new Up();\n"
    "  }\n"
    "  static void second(Circle c) { c.twice(); }\n"
    "}\n";

/* Where the classes are, once for all tests. */
static Arena shared;
static char *classes;

static void
shell(const char *command)
{
	assert_int_equal(system(arena_printf(&shared, "cd '%s' && %s", classes, command)), 0);
}

static int
compile(void **state)
{
	const char *error;

	(void)state;
	arena_init(&shared, NULL);
	if (!file_temp_dir(&shared, &classes, &error) ||
	    !file_write(&shared, file_join(&shared, classes, "Main.java"), program,
			sizeof program - 1, &error))
		return -1;
	/* Down's superclass becomes Up, Gone goes, Wrong holds another class. */
	shell(
	    "javac -d . Main.java && rm p/Gone.class && mkdir -p d && "
	    "echo 'package p; class Down extends Up {} class Up {}' >d/Down.java && "
	    "javac -d d d/Down.java && cp d/p/Down.class p && cp p/Circle.class p/Wrong.class && "
	    "rm -r d && mkdir -p META-INF/services && echo p.Provider >META-INF/services/p.Shape");
	return 0;
}

static int
forget(void **state)
{
	(void)state;
	file_remove_tree(classes);
	arena_release(&shared);
	return 0;
}

typedef struct Loaded {
	Arena a;
	Diag diag;
	Ir program;
	LoadStats stats;
	bool ok;
} Loaded;

static void
load(Loaded *l, LoadOptions opt)
{
	ClassPath *p;
	Ir **units;
	u32 n;

	arena_init(&l->a, NULL);
	diag_init(&l->diag, &l->a, NULL);
	p = path_new(&l->a, &l->diag);
	assert_true(path_add(p, classes, PATH_INPUT));
	l->ok = load_java(&l->a, p, &opt, &l->diag, &units, &n, &l->stats);
	ir_init(&l->program, &l->a);
	if (l->ok) {
		for (u32 i = 0; i < n; i++)
			assert_null(ir_check(units[i]));
		ir_link(&l->program, units, n, &l->diag);
		jvm_resolve(&l->program);
		assert_null(ir_check(&l->program));
	}
	path_release(p);
}

static void
unload(Loaded *l)
{
	diag_release(&l->diag);
	arena_release(&l->a);
}

static bool
has(const Loaded *l, const char *name)
{
	FnId f = ir_find_fn(&l->program, name);

	return f && l->program.fns.at[f].nblock;
}

static bool
assumed(const Loaded *l, const char *words)
{
	for (u32 i = 1; i < l->program.assumes.n; i++)
		if (strstr(ir_str(&l->program, l->program.assumes.at[i].what), words))
			return true;
	return false;
}

static bool
said(const Loaded *l, const char *words)
{
	for (u32 i = 0; i < l->diag.msgs.n; i++)
		if (strstr(l->diag.msgs.at[i].text, words))
			return true;
	return false;
}

static void
reached(void **state)
{
	static const char *const in[] = {
	    "main",
	    "p.Main.main([Ljava/lang/String;)V",
	    "p.Main.make()Lp/Shape;",
	    "p.Square.area()I",
	    "p.Shape.twice()I",
	    "p.Main.inLambda()V",
	    "p.Config.<clinit>()V",
	    "p.Config.start()I",
	    "p.Plugin.<init>()V",
	    "p.Plugin.work()V",
	    "p.Provider.serve()V",
	    "p.Modelled.inside()V",
	};
	static const char *const out[] = {"p.Square.unused()V",  "p.Circle.area()I",
					  "p.Round.twice()I",    "p.Config.never()I",
					  "p.Main.elsewhere()V", "p.Logged.<init>(I)V"};
	Loaded l;

	(void)state;
	load(&l, (LoadOptions){.jobs = 2});
	assert_true(l.ok);
	for (u32 i = 0; i < COUNT(in); i++)
		if (!has(&l, in[i]))
			fail_msg("%s is not there", in[i]);
	for (u32 i = 0; i < COUNT(out); i++)
		if (has(&l, out[i]))
			fail_msg("%s is there", out[i]);
	assert_true(assumed(&l, "class p.Gone was not found"));
	assert_true(assumed(&l, "inherits from itself"));
	assert_int_equal(l.stats.modelled, 0);
	assert_in_range(l.stats.bodies, COUNT(in) - 1, 40);
	unload(&l);
}

/* A class that is made later is called by virtual calls that came before. */
static void
entries(void **state)
{
	Loaded l;

	(void)state;
	load(&l, (LoadOptions){.entries = (const char *[]){"p.Main.second", "p.Main.elsewhere"},
			       .nentry = 2,
			       .jobs = 1});
	assert_true(l.ok);
	assert_true(has(&l, "p.Round.twice()I"));
	assert_true(has(&l, "p.Shape.twice()I"));
	assert_true(has(&l, "p.Circle.area()I"));
	assert_false(has(&l, "p.Square.area()I"));
	unload(&l);
	load(&l, (LoadOptions){.entries = (const char *[]){"p.Main.none"}, .nentry = 1});
	assert_false(l.ok);
	assert_true(said(&l, "has no such method"));
	unload(&l);
	load(&l, (LoadOptions){.entries = (const char *[]){"p.None.main"}, .nentry = 1});
	assert_false(l.ok);
	assert_true(said(&l, "no such class"));
	unload(&l);
}

static void
models(void **state)
{
	static const char rules[] = "p.Modelled.lock(): nothing\n";
	Loaded l;
	Diag diag;
	Models *m = models_new(&shared);

	(void)state;
	diag_init(&diag, &shared, NULL);
	assert_true(models_parse(m, "t", rules, sizeof rules - 1, &diag));
	diag_release(&diag);
	load(&l, (LoadOptions){.models = m, .jobs = 1});
	assert_false(has(&l, "p.Modelled.lock()V"));
	assert_false(has(&l, "p.Modelled.inside()V"));
	assert_int_equal(l.stats.modelled, 1);
	unload(&l);
}

static void
logs(void **state)
{
	static const char log[] =
	    "Constructor.newInstance;<p.Logged: void <init>(int)>;p.Main.main;1;\n"
	    "Method.invoke;<p.Logged: void called(java.lang.String,int[])>;p.Main.main;2;;\r\n"
	    "Class.forName;p.Circle;p.Main.main;3;\n"
	    "Class.forName;p.Nowhere;p.Main.main;4;\n"
	    "Method.invoke;<p.Logged: int called()>;p.Main.main;5;\n"
	    "nonsense\n";
	char *file = file_join(&shared, classes, "refl.log");
	const char *error;
	Loaded l;

	(void)state;
	assert_true(file_write(&shared, file, log, sizeof log - 1, &error));
	load(&l, (LoadOptions){.reflection_log = file, .jobs = 1});
	assert_true(has(&l, "p.Logged.<init>(I)V"));
	assert_true(has(&l, "p.Logged.called(Ljava/lang/String;[I)V"));
	assert_true(has(&l, "p.Circle.<init>()V"));
	assert_true(has(&l, "p.Circle.area()I"));
	assert_false(has(&l, "p.Logged.other()V"));
	assert_int_equal(l.diag.warnings, 5); /* three of these, the circle, and what is missing */
	assert_true(said(&l, "p.Nowhere does not exist"));
	unload(&l);
}

static char *
printed(Loaded *l)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	ir_print(&l->program, to);
	fclose(to);
	return text;
}

static void
any_jobs(void **state)
{
	Loaded one, four;
	char *first, *second;

	(void)state;
	load(&one, (LoadOptions){.jobs = 1});
	load(&four, (LoadOptions){.jobs = 4});
	first = printed(&one);
	second = printed(&four);
	assert_string_equal(first, second);
	free(first);
	free(second);
	unload(&one);
	unload(&four);
}

/* The classes of a list alone; a file that holds another class is skipped. */
static void
lists(void **state)
{
	NameList names = {0};
	LoadStats stats;
	ClassPath *p;
	Diag diag;
	Arena a;
	Ir **units;
	u32 n;

	(void)state;
	arena_init(&a, NULL);
	diag_init(&diag, &a, NULL);
	p = path_new(&a, &diag);
	assert_true(path_add(p, classes, PATH_INPUT));
	vec_push(&a, &names, "p/Square");
	vec_push(&a, &names, "p/Wrong");
	load_classes(&a, p, &names, &diag, 2, &units, &n, &stats);
	assert_int_equal(stats.classes, 1);
	assert_int_equal(stats.bodies, 3);
	assert_int_equal(diag.errors, 1);
	assert_non_null(strstr(diag.msgs.at[0].text, "the file holds class p/Circle"));
	path_release(p);
	diag_release(&diag);
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reached), cmocka_unit_test(entries),  cmocka_unit_test(models),
	    cmocka_unit_test(logs),    cmocka_unit_test(any_jobs), cmocka_unit_test(lists),
	};

	return cmocka_run_group_tests(tests, compile, forget);
}
