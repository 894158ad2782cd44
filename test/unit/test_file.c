/* test_file.c - files come back as written, a failure says why and leaves the
 * old file, and a private directory goes with all that is in it. */
#include "unit.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Place {
	Arena a;
	char *dir;
} Place;

static int
setup(void **state)
{
	static Place place;
	const char *error;

	arena_init(&place.a, NULL);
	*state = &place;
	return file_temp_dir(&place.a, &place.dir, &error) ? 0 : -1;
}

static int
teardown(void **state)
{
	Place *p = *state;

	file_remove_tree(p->dir);
	assert_false(file_exists(p->dir));
	arena_release(&p->a);
	return 0;
}

static void
round_trip(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 65535, 65536, 65537, 300000};
	Place *p = *state;
	Rand r = {9};

	for (u32 i = 0; i < COUNT(sizes); i++) {
		char *path = file_join(&p->a, p->dir, "x"), *bytes, *in = NULL;
		const char *error = NULL;
		size_t n = 7;
		bytes = arena_alloc(&p->a, sizes[i]);
		for (size_t k = 0; k < sizes[i]; k++)
			bytes[k] = (char)rand_below(&r, 256);
		assert_true(file_write(&p->a, path, bytes, sizes[i], &error));
		assert_true(file_read(&p->a, path, &in, &n, &error));
		assert_int_equal(n, sizes[i]);
		assert_memory_equal(in, bytes, n);
		assert_int_equal(in[n], 0);
	}
}

/* What is mapped is what was written; what is no file is refused. */
static void
mapped(void **state)
{
	Place *p = *state;
	char *path = file_join(&p->a, p->dir, "m");
	const char *error = NULL;
	const void *bytes = NULL;
	size_t n = 7;

	assert_true(file_write(&p->a, path, "", 0, &error));
	assert_true(file_map(&p->a, path, &bytes, &n, &error));
	assert_null(bytes);
	assert_int_equal(n, 0);
	file_unmap(bytes, n);
	assert_true(file_write(&p->a, path, "abc", 3, &error));
	assert_true(file_map(&p->a, path, &bytes, &n, &error));
	assert_int_equal(n, 3);
	assert_memory_equal(bytes, "abc", 3);
	file_unmap(bytes, n);
	assert_false(file_map(&p->a, p->dir, &bytes, &n, &error));
	assert_non_null(strstr(error, "Is a directory"));
	assert_false(file_map(&p->a, "/dev/zero", &bytes, &n, &error));
	assert_false(file_map(&p->a, file_join(&p->a, p->dir, "none"), &bytes, &n, &error));
}

/* A reader never sees half a file, and no temporary file stays behind. */
static void
replace(void **state)
{
	Place *p = *state;
	char *path = file_join(&p->a, p->dir, "y"), *in, **names;
	const char *error;
	FileOut out;
	size_t n;
	u32 count;

	assert_true(file_write(&p->a, path, "old", 3, &error));
	assert_int_equal(chmod(path, 0640), 0);
	assert_true(file_out_open(&out, &p->a, path, &error));
	fputs("new", out.to);
	fflush(out.to);
	assert_true(file_read(&p->a, path, &in, &n, &error));
	assert_string_equal(in, "old");
	file_out_abandon(&out);
	assert_true(file_read(&p->a, path, &in, &n, &error));
	assert_string_equal(in, "old");
	assert_true(file_out_open(&out, &p->a, path, &error));
	fputs("new", out.to);
	assert_true(file_out_commit(&out, &p->a, &error));
	assert_true(file_read(&p->a, path, &in, &n, &error));
	assert_string_equal(in, "new");
	assert_true(file_list(&p->a, p->dir, &names, &count, &error));
	for (u32 i = 0; i < count; i++)
		assert_null(strstr(names[i], ".tmp"));
}

static void
mode_and_link_stay(void **state)
{
	Place *p = *state;
	char *path = file_join(&p->a, p->dir, "z"), *link = file_join(&p->a, p->dir, "l"), *in;
	const char *error;
	struct stat st;
	size_t n;

	assert_true(file_write(&p->a, path, "1", 1, &error));
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("z", link), 0);
	assert_true(file_write(&p->a, link, "2", 1, &error));
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_true(file_read(&p->a, path, &in, &n, &error));
	assert_string_equal(in, "2");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void
errors(void **state)
{
	Place *p = *state;
	const char *error = NULL;
	char *in, **names;
	size_t n;
	u32 count;

	assert_false(file_read(&p->a, "no/such/file", &in, &n, &error));
	assert_string_equal(error, "cannot open no/such/file: No such file or directory");
	assert_false(file_read(&p->a, p->dir, &in, &n, &error));
	assert_non_null(strstr(error, "directory"));
	assert_false(file_read(&p->a, "/dev/zero", &in, &n, &error));
	assert_false(file_write(&p->a, "no/such/file", "", 0, &error));
	assert_non_null(strstr(error, "no/such/file"));
	assert_false(file_write(&p->a, p->dir, "", 0, &error));
	assert_false(file_write(&p->a, "/dev/full", "x", 1, &error));
	assert_non_null(strstr(error, "No space"));
	assert_true(file_write(&p->a, "/dev/null", "x", 1, &error));
	assert_true(file_exists("/dev/null"));
	assert_false(file_list(&p->a, "no/such/dir", &names, &count, &error));
}

/* Removing follows no link out of the tree. */
static void
remove_tree(void **state)
{
	Place *p = *state;
	char *keep = file_join(&p->a, p->dir, "keep"), *tree = file_join(&p->a, p->dir, "tree");
	char *file = file_join(&p->a, keep, "file"), *sub = file_join(&p->a, tree, "sub");
	const char *error;

	assert_int_equal(mkdir(keep, 0700) | mkdir(tree, 0700) | mkdir(sub, 0700), 0);
	assert_true(file_write(&p->a, file, "x", 1, &error));
	assert_true(file_write(&p->a, file_join(&p->a, sub, "f"), "x", 1, &error));
	assert_int_equal(symlink("../keep", file_join(&p->a, tree, "link")), 0);
	file_remove_tree(tree);
	assert_false(file_exists(tree));
	assert_true(file_exists(file));
}

static void
names(void **state)
{
	Place *p = *state;
	char **list;
	const char *error;
	u32 n;

	assert_string_equal(file_base("a/b.c"), "b.c");
	assert_string_equal(file_base("b.c"), "b.c");
	assert_string_equal(file_ext("a.d/b"), "");
	assert_string_equal(file_ext("a/b.tar.gz"), "gz");
	assert_string_equal(file_dir(&p->a, "a/b/c"), "a/b");
	assert_string_equal(file_dir(&p->a, "c"), ".");
	assert_string_equal(file_dir(&p->a, "/c"), "/");
	assert_string_equal(file_join(&p->a, "a", "/b"), "/b");
	assert_string_equal(file_join(&p->a, "a", "b"), "a/b");
	for (const char *s = "cab"; *s; s++)
		assert_true(
		    file_write(&p->a, arena_printf(&p->a, "%s/%c", p->dir, *s), "", 0, &error));
	assert_true(file_list(&p->a, p->dir, &list, &n, &error));
	assert_int_equal(n, 3);
	for (u32 i = 0; i < n; i++)
		assert_int_equal(list[i][0], 'a' + i);
}

static void
shorten(void **state)
{
	static const char *const cases[][3] = {
	    {"/p/build/../src/x.c", "/p", "src/x.c"},
	    {"/p//src/./x.c", "/p", "src/x.c"},
	    {"/p/src/x.c", "/p/sr", "/p/src/x.c"},
	    {"/p/a/b/../../x.c", "/q", "/p/x.c"},
	    {"/p/../x.c", "/", "/x.c"},
	    {"../x.c", "/p", "../x.c"},
	    {"/", "/p", "/"},
	};
	Place *p = *state;
	char *link = file_join(&p->a, p->dir, "link"), *back;

	for (u32 i = 0; i < COUNT(cases); i++)
		assert_string_equal(file_shorten(&p->a, cases[i][0], cases[i][1]), cases[i][2]);
	/* behind a link ".." is somewhere else */
	assert_int_equal(symlink("/usr/bin", link), 0);
	back = file_join(&p->a, link, "../x.c");
	assert_string_equal(file_shorten(&p->a, back, p->dir), "link/../x.c");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(mapped, setup, teardown),
	    cmocka_unit_test_setup_teardown(round_trip, setup, teardown),
	    cmocka_unit_test_setup_teardown(replace, setup, teardown),
	    cmocka_unit_test_setup_teardown(mode_and_link_stay, setup, teardown),
	    cmocka_unit_test_setup_teardown(errors, setup, teardown),
	    cmocka_unit_test_setup_teardown(remove_tree, setup, teardown),
	    cmocka_unit_test_setup_teardown(names, setup, teardown),
	    cmocka_unit_test_setup_teardown(shorten, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
