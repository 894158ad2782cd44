/* test_store.c - an entry comes back as it was kept or not at all, whatever
 * became of its file; the oldest go when there is no room; nothing else goes. */
#include "unit.h"

#include "base/file.h"
#include "base/store.h"

#include <fcntl.h>
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
	arena_release(&p->a);
	return 0;
}

static Digest
name(u64 x)
{
	return (Digest){x << 56 | x, ~x};
}

static char *
path_of(Place *p, Digest d, const char *kind)
{
	return arena_printf(&p->a, "%s/%02x/%014llx%016llx.%s", p->dir, (u32)(d.hi >> 56),
			    (unsigned long long)(d.hi << 8 >> 8), (unsigned long long)d.lo, kind);
}

static bool
has(Store *s, const char *kind, u64 x, const char *text)
{
	StoreEntry e;
	bool there = store_get(s, kind, name(x), &e);

	if (there) {
		assert_int_equal(e.n, strlen(text));
		assert_memory_equal(e.bytes, text, e.n);
		store_close_entry(&e);
	}
	return there;
}

static void
put(Store *s, const char *kind, u64 x, const char *text)
{
	store_put(s, kind, name(x), text, strlen(text));
}

static void
round_trip(void **state)
{
	Place *p = *state;
	Store *s = store_open(&p->a, file_join(&p->a, p->dir, "new/deep"), 1 << 20);

	assert_false(has(s, "x", 1, ""));
	put(s, "x", 1, "one");
	put(s, "x", 2, "");
	put(s, "y", 1, "other");
	assert_null(store_trouble(s));
	assert_true(has(s, "x", 1, "one") && has(s, "x", 2, "") && has(s, "y", 1, "other"));
	assert_false(has(s, "y", 2, ""));
	store_close(s);
}

static void
keys(void **state)
{
	Place *p = *state;
	static const char *const parts[][2] = {{"ab", "c"},   {"a", "bc"},   {"abc", ""},
					       {"abc", NULL}, {NULL, "abc"}, {"", "abc"}};
	Digest seen[COUNT(parts)];

	for (u32 i = 0; i < COUNT(parts); i++) {
		Key k;
		key_init(&k, &p->a, name(7));
		key_str(&k, parts[i][0]);
		key_str(&k, parts[i][1]);
		seen[i] = key_name(&k);
		for (u32 j = 0; j < i; j++)
			assert_false(digest_equal(seen[i], seen[j]));
	}
}

/* Every byte of the file, changed, added or missing, makes it no entry; the
 * next one to be kept replaces it. */
static void
damage(void **state)
{
	Place *p = *state;
	Store *s = store_open(&p->a, p->dir, 0);
	const char *error, *path = path_of(p, name(3), "x");
	char *bytes;
	size_t n;

	put(s, "x", 3, "some contents");
	assert_true(file_read(&p->a, path, &bytes, &n, &error));
	for (size_t i = 0; i < n; i++) {
		bytes[i] ^= (char)(1 << i % 8);
		assert_true(file_write(&p->a, path, bytes, n, &error));
		assert_false(has(s, "x", 3, ""));
		bytes[i] ^= (char)(1 << i % 8);
		assert_true(file_write(&p->a, path, bytes, i, &error));
		assert_false(has(s, "x", 3, ""));
	}
	assert_true(file_write(&p->a, path, bytes, n + 1, &error)); /* a zero byte is behind */
	assert_false(has(s, "x", 3, ""));
	put(s, "x", 3, "some contents");
	assert_true(has(s, "x", 3, "some contents"));
	/* under another name, or as another kind */
	assert_int_equal(rename(path, path_of(p, name(4), "x")),
			 -1); /* its directory is not there */
	put(s, "x", 4, "more");
	assert_int_equal(rename(path, path_of(p, name(4), "x")), 0);
	assert_false(has(s, "x", 4, ""));
	store_close(s);
}

static void
age(Place *p, u64 x, time_t seconds)
{
	struct timespec t[2] = {{seconds, 0}, {seconds, 0}};

	assert_int_equal(utimensat(AT_FDCWD, path_of(p, name(x), "x"), t, 0), 0);
}

static void
limit(void **state)
{
	Place *p = *state;
	Store *s = store_open(&p->a, p->dir, 10 * 8192);
	char *text = arena_alloc(&p->a, 8000);
	const char *stale = file_join(&p->a, p->dir, "05/12-0.tmp"), *error;
	const char *foreign = file_join(&p->a, p->dir, "05/letter.txt");

	memset(text, 'x', 7999);
	for (u64 i = 1; i <= 20; i++) {
		put(s, "x", i, text);
		age(p, i, 1000 + (time_t)i);
	}
	assert_true(file_write(&p->a, stale, "", 0, &error));
	assert_true(file_write(&p->a, foreign, "x", 1, &error));
	assert_int_equal(utimensat(AT_FDCWD, stale, (struct timespec[]){{9, 0}, {9, 0}}, 0), 0);
	assert_true(has(s, "x", 1, text)); /* used just now */
	store_close(s);
	s = store_open(&p->a, p->dir, 0);
	assert_true(has(s, "x", 1, text) && has(s, "x", 20, text) && !has(s, "x", 2, text));
	assert_false(has(s, "x", 10, text));
	assert_false(file_exists(stale));
	assert_true(store_clear(&p->a, p->dir));
	assert_false(has(s, "x", 1, text));
	assert_true(file_exists(foreign));
	store_close(s);
}

static void
no_room(void **state)
{
	Place *p = *state;
	const char *file = file_join(&p->a, p->dir, "file"), *error;
	Store *s;

	assert_true(file_write(&p->a, file, "x", 1, &error));
	s = store_open(&p->a, file_join(&p->a, file, "below"), 0);
	put(s, "x", 1, "one");
	assert_non_null(strstr(store_trouble(s), "Not a directory"));
	assert_false(has(s, "x", 1, ""));
	store_close(s);
}

static void
files(void **state)
{
	Place *p = *state;
	const char *file = file_join(&p->a, p->dir, "file"), *error;
	Store *s = store_open(&p->a, p->dir, 0);
	Digest d;

	assert_false(store_file(s, p->dir, &d) || store_file(s, "/dev/null", &d));
	assert_true(file_write(&p->a, file, "x", 1, &error));
	assert_true(store_file(s, file, &d) && digest_equal(d, digest_bytes("x", 1)));
	assert_true(store_probe(s, file) && !store_probe(s, file_join(&p->a, file, "x")));
	store_close(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(round_trip, setup, teardown),
	    cmocka_unit_test_setup_teardown(keys, setup, teardown),
	    cmocka_unit_test_setup_teardown(damage, setup, teardown),
	    cmocka_unit_test_setup_teardown(limit, setup, teardown),
	    cmocka_unit_test_setup_teardown(no_room, setup, teardown),
	    cmocka_unit_test_setup_teardown(files, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
