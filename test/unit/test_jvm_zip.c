/* test_jvm_zip.c - archives are read as zip wrote them, zip64 too; encrypted,
 * lying, bursting and broken entries are refused with a reason. */
#include "unit.h"

#include "base/file.h"
#include "base/vec.h"
#include "jvm/zip.h"

#include <stdlib.h>
#include <string.h>

typedef Vec(u8) Bytes;

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

/* Runs a command in the test's directory. */
static void
shell(Place *p, const char *command)
{
	assert_int_equal(system(arena_printf(&p->a, "cd '%s' && %s", p->dir, command)), 0);
}

static Archive *
open_file(Place *p, const char *name)
{
	const char *why = NULL;
	char *bytes;
	size_t n;
	Archive *z;

	assert_true(file_read(&p->a, file_join(&p->a, p->dir, name), &bytes, &n, &why));
	z = archive_open(&p->a, bytes, n, &why);
	assert_non_null(z);
	return z;
}

static void
write_file(Place *p, const char *name, const void *bytes, size_t n)
{
	const char *error;

	assert_true(file_write(&p->a, file_join(&p->a, p->dir, name), bytes, n, &error));
}

static void
expect(Place *p, Archive *z, const char *name, const void *bytes, size_t n)
{
	const char *why = NULL;
	u8 *got;
	size_t m;
	u32 k;

	assert_true(archive_find(z, name, &k));
	assert_string_equal(archive_name(z, k), name);
	assert_true(archive_read(z, k, &p->a, &got, &m, &why));
	assert_int_equal(m, n);
	assert_memory_equal(got, bytes, n);
	assert_int_equal(got[n], 0);
}

static void
refuse(Place *p, Archive *z, const char *name, const char *words)
{
	const char *why = NULL;
	u8 *got;
	size_t m;
	u32 k;

	assert_true(archive_find(z, name, &k));
	assert_false(archive_read(z, k, &p->a, &got, &m, &why));
	if (!strstr(why, words))
		fail_msg("'%s' does not contain '%s'", why, words);
}

static void
real_archives(void **state)
{
	static const char *const how[] = {
	    "zip -q x.zip A e/B", "zip -q -fz x.zip A e/B", "zip -q -0 x.zip A e/B",
	    "zip -q x.jar A e/B && (printf 'JM\\001\\000'; cat x.jar) >x.zip"};
	Place *p = *state;
	char text[4000];
	u32 k;

	memset(text, 'a', sizeof text);
	write_file(p, "A", text, sizeof text);
	shell(p, "mkdir e && printf b >e/B");
	for (u32 i = 0; i < COUNT(how); i++) {
		Archive *z;
		shell(p, "rm -f x.zip x.jar");
		shell(p, how[i]);
		z = open_file(p, "x.zip");
		assert_int_equal(archive_count(z), 2);
		expect(p, z, "A", text, sizeof text);
		expect(p, z, "e/B", "b", 1);
		assert_false(archive_find(z, "B", &k));
		archive_close(z);
	}
}

static void
refused(void **state)
{
	Place *p = *state;
	Archive *z;

	shell(p, "head -c 100000000 /dev/zero >huge && head -c 9000000 /dev/zero >dense && echo s "
		 ">secret");
	shell(p, "zip -q x.zip huge dense && zip -q -P word x.zip secret");
	z = open_file(p, "x.zip");
	refuse(p, z, "huge", "too large");
	refuse(p, z, "dense", "beyond belief");
	refuse(p, z, "secret", "encrypted");
	archive_close(z);
}

/* ---- archives that zip would not write --------------------------------------- */

typedef struct Maker {
	Arena *a;
	Bytes file, list;
	u32 n;
} Maker;

static void
put(Maker *m, Bytes *to, u32 size, u32 v)
{
	for (u32 i = 0; i < size; i++)
		vec_push(m->a, to, (u8)(v >> 8 * i));
}

static u32
crc32_of(const u8 *p, size_t n)
{
	u32 c = ~0u;

	for (size_t i = 0; i < n; i++) {
		c ^= p[i];
		for (u32 k = 0; k < 8; k++)
			c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
	}
	return ~c;
}

/* What is common to both headers, from the version needed on. */
static void
header(Maker *m, Bytes *to, const char *name, const char *text, u32 claimed)
{
	put(m, to, 2, 20);
	put(m, to, 2, 0); /* flags */
	put(m, to, 2, 0); /* stored */
	put(m, to, 4, 0); /* time */
	put(m, to, 4, crc32_of((const u8 *)text, strlen(text)));
	put(m, to, 4, claimed);
	put(m, to, 4, claimed);
	put(m, to, 2, (u32)strlen(name));
	put(m, to, 2, 0);
}

static void
add(Maker *m, const char *name, const char *text, u32 claimed)
{
	u32 at = m->file.n;

	put(m, &m->file, 4, 0x04034b50);
	header(m, &m->file, name, text, claimed);
	memcpy(vec_extend(m->a, &m->file, strlen(name)), name, strlen(name));
	memcpy(vec_extend(m->a, &m->file, strlen(text)), text, strlen(text));
	put(m, &m->list, 4, 0x02014b50);
	put(m, &m->list, 2, 20);
	header(m, &m->list, name, text, claimed);
	put(m, &m->list, 2, 0); /* comment */
	put(m, &m->list, 2, 0); /* disk */
	put(m, &m->list, 2, 0);
	put(m, &m->list, 4, 0);
	put(m, &m->list, 4, at);
	memcpy(vec_extend(m->a, &m->list, strlen(name)), name, strlen(name));
	m->n++;
}

static void
finish(Maker *m)
{
	u32 at = m->file.n;

	memcpy(vec_extend(m->a, &m->file, m->list.n), m->list.at, m->list.n);
	put(m, &m->file, 4, 0x06054b50);
	put(m, &m->file, 4, 0);
	put(m, &m->file, 2, m->n);
	put(m, &m->file, 2, m->n);
	put(m, &m->file, 4, m->list.n);
	put(m, &m->file, 4, at);
	put(m, &m->file, 2, 0);
}

static void
tricks(void **state)
{
	static const char *const bad[] = {"../x", "a/../../x", "/etc/x", "a\\b", "C:x", ".."};
	Place *p = *state;
	Maker m = {.a = &p->a};
	const char *why = NULL;
	const ArchiveFlaw *flaws;
	Archive *z;
	u32 n, k;

	add(&m, "good", "fine", 4);
	for (u32 i = 0; i < COUNT(bad); i++)
		add(&m, bad[i], "x", 1);
	add(&m, "a..b/..c", "ok", 2);
	add(&m, "good", "second", 6);
	finish(&m);
	z = archive_open(&p->a, m.file.at, m.file.n, &why);
	assert_non_null(z);
	expect(p, z, "good", "fine", 4);
	expect(p, z, "a..b/..c", "ok", 2);
	assert_int_equal(archive_count(z), 2);
	flaws = archive_flaws(z, &n);
	assert_int_equal(n, COUNT(bad) + 1);
	for (u32 i = 0; i < COUNT(bad); i++) {
		assert_string_equal(flaws[i].name, bad[i]);
		assert_false(archive_find(z, bad[i], &k));
	}
	assert_non_null(strstr(flaws[COUNT(bad)].why, "already"));
	archive_close(z);
}

static void
lies(void **state)
{
	Place *p = *state;
	Maker m = {.a = &p->a};
	const char *why = NULL;
	Archive *z;

	add(&m, "long", "text", 60000);
	add(&m, "crc", "text", 4);
	finish(&m);
	m.file.at[30 + 4 + 4 + 30 + 3] ^= 1; /* the contents of crc */
	z = archive_open(&p->a, m.file.at, m.file.n, &why);
	assert_non_null(z);
	refuse(p, z, "long", "broken");
	refuse(p, z, "crc", "CRC");
	archive_close(z);
	assert_null(archive_open(&p->a, "", 0, &why));
	assert_non_null(strstr(why, "empty"));
	assert_null(archive_open(&p->a, "PK and nothing else", 19, &why));
	assert_non_null(strstr(why, "broken"));
}

/* Opens the bytes, which may be anything, and reads what is there. */
static void
use(const u8 *bytes, size_t n)
{
	const char *why = NULL;
	Arena a;
	Archive *z;

	arena_init(&a, NULL);
	z = archive_open(&a, bytes, n, &why);
	assert_true(z || why);
	for (u32 k = 0; z && k < archive_count(z); k++) {
		u8 *got;
		size_t m;
		why = NULL;
		assert_true(archive_read(z, k, &a, &got, &m, &why) || why);
	}
	if (z)
		archive_close(z);
	arena_release(&a);
}

static void
broken(void **state)
{
	Place *p = *state;
	const char *error;
	char *bytes;
	size_t n;

	shell(p, "mkdir d; for i in 1 2 3; do printf 'text text text text %s' $i >d/$i; done");
	shell(p, "zip -q -r x.zip d && zip -q -fz x.zip d/1");
	assert_true(file_read(&p->a, file_join(&p->a, p->dir, "x.zip"), &bytes, &n, &error));
	for (size_t k = 0; k < n; k++) {
		u8 *copy = test_malloc(k + !k);
		memcpy(copy, bytes, k);
		use(copy, k);
		test_free(copy);
	}
	for (size_t bit = 0; bit < n * 8; bit++) {
		u8 *copy = test_malloc(n);
		memcpy(copy, bytes, n);
		copy[bit / 8] ^= (u8)(1 << bit % 8);
		use(copy, n);
		test_free(copy);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(real_archives, setup, teardown),
	    cmocka_unit_test_setup_teardown(refused, setup, teardown),
	    cmocka_unit_test_setup_teardown(tricks, setup, teardown),
	    cmocka_unit_test_setup_teardown(lies, setup, teardown),
	    cmocka_unit_test_setup_teardown(broken, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
