/* test_jvm_path.c - classes are found in directories, jars, jmods, single files
 * and the JDK, in the order of the class path; manifests, versions and services
 * are followed; what is broken or named twice is skipped and said so. */
#include "unit.h"

#include "base/diag.h"
#include "base/file.h"
#include "jvm/path.h"

#include <stdlib.h>
#include <string.h>

typedef struct Place {
	Arena a;
	char *dir;
	Diag diag;
	ClassPath *path;
} Place;

static void
shell(Place *p, const char *command)
{
	assert_int_equal(system(arena_printf(&p->a, "cd '%s' && %s", p->dir, command)), 0);
}

static char *
at(Place *p, const char *name)
{
	return file_join(&p->a, p->dir, name);
}

static int
setup(void **state)
{
	static Place place;
	const char *error;

	arena_init(&place.a, NULL);
	diag_init(&place.diag, &place.a, NULL);
	place.path = path_new(&place.a, &place.diag);
	*state = &place;
	return file_temp_dir(&place.a, &place.dir, &error) ? 0 : -1;
}

static int
teardown(void **state)
{
	Place *p = *state;

	path_release(p->path);
	diag_release(&p->diag);
	file_remove_tree(p->dir);
	arena_release(&p->a);
	return 0;
}

/* What javac made of a.Main, a.Main.In and b.Lib, once for all tests: in `out`,
 * and another b.Lib in `new`. */
static Place compiled;

static int
compile_all(void **state)
{
	const char *error;

	(void)state;
	arena_init(&compiled.a, NULL);
	if (!file_temp_dir(&compiled.a, &compiled.dir, &error))
		return -1;
	shell(&compiled,
	      "mkdir -p a b n/b && echo 'package a; public class Main { static class In {} "
	      "public static void main(String[] x) { new b.Lib(); } }' >a/Main.java && "
	      "echo 'package b; public class Lib {}' >b/Lib.java && "
	      "echo 'package b; public class Lib { int more; }' >n/b/Lib.java && "
	      "javac -d out a/Main.java b/Lib.java && javac -d new n/b/Lib.java");
	return 0;
}

static int
forget_all(void **state)
{
	(void)state;
	file_remove_tree(compiled.dir);
	arena_release(&compiled.a);
	return 0;
}

/* Gives the test a copy of them. */
static void
compile(Place *p)
{
	shell(p, arena_printf(&p->a, "cp -r '%s/out' '%s/new' .", compiled.dir, compiled.dir));
}

static bool
said(const Place *p, const char *words)
{
	for (u32 i = 0; i < p->diag.msgs.n; i++)
		if (strstr(p->diag.msgs.at[i].text, words))
			return true;
	return false;
}

static void
expect(Place *p, const char *name, const char *from)
{
	ClassBytes c;

	assert_true(path_find(p->path, name, &c));
	assert_memory_equal(c.at, "\xCA\xFE\xBA\xBE", 4);
	if (!strstr(c.from, from))
		fail_msg("%s came from %s", name, c.from);
}

static void
directories_and_files(void **state)
{
	Place *p = *state;
	ClassBytes c;
	NameList names = {0};

	compile(p);
	assert_true(path_add(p->path, at(p, "out"), PATH_INPUT));
	expect(p, "a/Main", "out/a/Main.class");
	expect(p, "a/Main$In", "out/a/Main$In.class");
	assert_false(path_find(p->path, "a/None", &c));
	assert_false(path_find(p->path, "b/../a/Main", &c));
	assert_false(path_find(p->path, "", &c));
	assert_false(path_find(p->path, "/a/Main", &c));
	path_list(p->path, &names);
	assert_int_equal(names.n, 3);
	assert_string_equal(names.at[0], "a/Main$In");
	assert_string_equal(names.at[2], "b/Lib");
	assert_int_equal(p->diag.msgs.n, 0);
}

/* A class file brings the directory of its classes along, as a library. */
static void
single_file(void **state)
{
	Place *p = *state;
	NameList names = {0};

	compile(p);
	assert_true(path_add(p->path, at(p, "out/a/Main.class"), PATH_INPUT));
	expect(p, "a/Main", "out/a/Main.class");
	expect(p, "b/Lib", "out/b/Lib.class");
	path_list(p->path, &names);
	assert_int_equal(names.n, 1);
	shell(p, "echo no class >out/x.class");
	assert_false(path_add(p->path, at(p, "out/x.class"), PATH_INPUT));
	assert_int_equal(p->diag.errors, 1);
	assert_int_equal(path_skipped(p->path)->n, 1);
}

static void
jars(void **state)
{
	Place *p = *state;
	NameList names = {0};

	compile(p);
	shell(p, "mkdir 'l b' && jar -c -f 'l b/lib.jar' -C out b && "
		 "printf 'Main-Class: a.Main\\nClass-Path: l%%20b/lib.jar none.jar x.jar\\n' >m && "
		 "jar -c -f x.jar -m m -C out a");
	assert_true(path_add(p->path, at(p, "x.jar"), PATH_INPUT));
	assert_string_equal(path_main(p->path), "a.Main");
	expect(p, "a/Main", "x.jar");
	expect(p, "b/Lib", "l b/lib.jar");
	path_list(p->path, &names);
	assert_int_equal(names.n, 2);
	assert_int_equal(p->diag.msgs.n, 0);
}

/* dir with a star is all its jars; a list is searched from left to right. */
static void
lists(void **state)
{
	Place *p = *state;

	compile(p);
	shell(p, "mkdir l && (cd out && zip -q -r ../l/one.jar b) && cp l/one.jar l/two.jar");
	path_add_list(p->path, arena_printf(&p->a, "%s/l/*::%s/out", p->dir, p->dir), PATH_LIBRARY);
	expect(p, "b/Lib", "one.jar");
	expect(p, "a/Main", "out");
	assert_int_equal(p->diag.msgs.n, 0);
	path_add_list(p->path, "/nowhere/x.jar", PATH_LIBRARY);
	assert_int_equal(p->diag.warnings, 1);
}

/* The newest version that is not newer than the platform; without one, the
 * newest of all. */
static void
versions(void **state)
{
	Place *p = *state;
	ClassBytes base, newest;

	compile(p);
	shell(p, "mkdir -p j/META-INF/versions/11 && cp -r out/b j && "
		 "cp -r new/b j/META-INF/versions/11 && cd j && "
		 "echo 'Multi-Release: true' >META-INF/MANIFEST.MF && zip -q -r ../x.jar .");
	assert_true(path_add(p->path, at(p, "x.jar"), PATH_INPUT));
	assert_true(path_add(p->path, at(p, "out"), PATH_LIBRARY));
	assert_true(path_find(p->path, "b/Lib", &newest));
	path_release(p->path);
	p->path = path_new(&p->a, &p->diag);
	assert_true(path_add(p->path, at(p, "new"), PATH_INPUT));
	assert_true(path_find(p->path, "b/Lib", &base));
	assert_int_equal(newest.n, base.n);
}

static void
services(void **state)
{
	Place *p = *state;
	NameList names = {0};

	shell(p,
	      "mkdir -p d/META-INF/services && printf '# all\\n b.Lib # one\\n\\na.Main\\nb.Lib' "
	      ">d/META-INF/services/x.Y && cd d && zip -q -r ../s.jar META-INF");
	assert_true(path_add(p->path, at(p, "d"), PATH_INPUT));
	assert_true(path_add(p->path, at(p, "s.jar"), PATH_LIBRARY));
	path_services(p->path, &names);
	assert_int_equal(names.n, 2);
	assert_string_equal(names.at[0], "b.Lib");
	assert_string_equal(names.at[1], "a.Main");
}

static void
duplicates_and_broken(void **state)
{
	Place *p = *state;
	ClassBytes c;

	compile(p);
	shell(p, "(cd out && zip -q -r ../x.jar b) && zip -q -P word e.jar -j out/a/Main.class && "
		 "mkdir -p z/a && cp out/a/Main.class z/a && cd z && zip -q -P word ../e.jar "
		 "a/Main.class");
	assert_true(path_add(p->path, at(p, "out"), PATH_INPUT));
	assert_true(path_add(p->path, at(p, "x.jar"), PATH_INPUT));
	expect(p, "b/Lib", "out");
	assert_true(said(p, "class b.Lib is skipped: that of"));
	assert_int_equal(p->diag.errors, 0);
	path_release(p->path);
	p->path = path_new(&p->a, &p->diag);
	assert_true(path_add(p->path, at(p, "e.jar"), PATH_INPUT));
	assert_false(path_find(p->path, "a/Main", &c));
	assert_false(path_find(p->path, "a/Main", &c));
	assert_true(said(p, "class a.Main is skipped: the entry is encrypted"));
	assert_int_equal(p->diag.errors, 1);
	shell(p, "head -c 300 x.jar >cut.jar");
	assert_false(path_add(p->path, at(p, "cut.jar"), PATH_INPUT));
	assert_true(said(p, "the zip archive is broken"));
	assert_int_equal(path_skipped(p->path)->n, 2);
}

static void
platform(void **state)
{
	Place *p = *state;
	NameList names = {0};
	char *java = realpath("/usr/bin/java", NULL), *home;

	assert_non_null(java); /* tools/setup installs it */
	home = file_dir(&p->a, file_dir(&p->a, java));
	free(java);
	assert_true(path_add_platform(p->path, home));
	assert_in_range(path_version(p->path), 11, 63);
	expect(p, "java/lang/Object", "lib/modules");
	expect(p, "java/util/Map$Entry", "lib/modules");
	assert_true(path_list_module(p->path, "java.base", &names));
	assert_in_range(names.n, 5000, 20000);
	assert_string_equal(names.at[0], "com/sun/crypto/provider/AESCipher");
	assert_false(path_add_platform(p->path, p->dir));
	assert_true(said(p, "no JDK"));
}

/* Without an image the jmods are read. */
static void
jmods(void **state)
{
	Place *p = *state;

	compile(p);
	shell(p, "mkdir -p jdk/jmods && mv out classes && zip -q -r x.zip classes && "
		 "(printf 'JM\\001\\000'; cat x.zip) >jdk/jmods/x.jmod");
	assert_true(path_add_platform(p->path, at(p, "jdk")));
	expect(p, "a/Main", "x.jmod");
	assert_int_equal(path_version(p->path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(directories_and_files, setup, teardown),
	    cmocka_unit_test_setup_teardown(single_file, setup, teardown),
	    cmocka_unit_test_setup_teardown(jars, setup, teardown),
	    cmocka_unit_test_setup_teardown(lists, setup, teardown),
	    cmocka_unit_test_setup_teardown(versions, setup, teardown),
	    cmocka_unit_test_setup_teardown(services, setup, teardown),
	    cmocka_unit_test_setup_teardown(duplicates_and_broken, setup, teardown),
	    cmocka_unit_test_setup_teardown(platform, setup, teardown),
	    cmocka_unit_test_setup_teardown(jmods, setup, teardown),
	};

	return cmocka_run_group_tests(tests, compile_all, forget_all);
}
