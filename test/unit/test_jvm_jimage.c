/* test_jvm_jimage.c - an image of modules of either endianness is read as it
 * was written, the installed JDK's too; images that lie are refused and never
 * read outside. */
#include "unit.h"

#include "base/file.h"
#include "base/vec.h"
#include "jvm/jimage.h"

#include <stdlib.h>
#include <string.h>

typedef Vec(u8) Bytes;

/* An image under construction: its parts, and the names of its resources. */
typedef struct Made {
	Arena a;
	bool big;
	u32 n;
	const char *names[16];
	Bytes locations, strings, data;
	u32 offset[16];
} Made;

static u32
add_string(Made *m, const char *s, size_t n)
{
	u32 at = m->strings.n;

	memcpy(vec_extend(&m->a, &m->strings, n + 1), s, n);
	return at;
}

static void
add_attr(Made *m, u32 kind, u32 v)
{
	u32 len = v >> 24 ? 4 : v >> 16 ? 3 : v >> 8 ? 2 : 1;

	vec_push(&m->a, &m->locations, (u8)(kind << 3 | (len - 1)));
	while (len--)
		vec_push(&m->a, &m->locations, (u8)(v >> 8 * len));
}

/* Adds /module/parent/base.extension with these contents. */
static void
add(Made *m, const char *name, const void *bytes, u32 n, bool compressed)
{
	const char *module = name + 1, *rest = strchr(module, '/') + 1;
	const char *slash = strrchr(rest, '/'), *base = slash ? slash + 1 : rest;
	const char *dot = strncmp(name, "/packages/", 10) ? strrchr(base, '.') : NULL;

	m->offset[m->n] = m->locations.n;
	m->names[m->n++] = name;
	add_attr(m, 1, add_string(m, module, (size_t)(rest - 1 - module)));
	if (slash)
		add_attr(m, 2, add_string(m, rest, (size_t)(slash - rest)));
	add_attr(m, 3, add_string(m, base, dot ? (size_t)(dot - base) : strlen(base)));
	if (dot)
		add_attr(m, 4, add_string(m, dot + 1, strlen(dot + 1)));
	add_attr(m, 5, m->data.n);
	if (compressed)
		add_attr(m, 6, n);
	add_attr(m, 7, n);
	vec_push(&m->a, &m->locations, 0);
	memcpy(vec_extend(&m->a, &m->data, n), bytes, n);
}

static void
put(const Made *m, Bytes *out, Arena *a, u32 v)
{
	for (u32 i = 0; i < 4; i++)
		vec_push(a, out, (u8)(v >> 8 * (m->big ? 3 - i : i)));
}

static u32
name_hash(const char *s, u32 seed)
{
	for (; *s; s++)
		seed = seed * 0x01000193 ^ (u8)*s;
	return seed & 0x7FFFFFFF;
}

/* A seed under which name falls into slot. */
static u32
seed_for(const char *name, u32 slot, u32 slots)
{
	u32 seed = 1;

	while (name_hash(name, seed) % slots != slot)
		seed++;
	return seed;
}

/* Places resources so that each is found by its second hash, or, where it is
 * alone at its first, directly; gives the image. */
static void
finish(Made *m, Bytes *out)
{
	u32 slots = 61, redirect[61] = {0}, offset[61] = {0};

	for (u32 i = 0; i < m->n; i++) {
		u32 k = name_hash(m->names[i], 0x01000193) % slots;
		assert_int_equal(redirect[k], 0); /* the names of these tests do not collide */
		redirect[k] = i % 2 ? (u32)-1 - i : seed_for(m->names[i], i, slots);
		offset[i] = m->offset[i];
	}
	for (u32 i = m->n; i < slots; i++)
		offset[i] = m->offset[0] + m->locations.n; /* no location */
	put(m, out, &m->a, 0xCAFEDADA);
	put(m, out, &m->a, 1 << 16);
	put(m, out, &m->a, 0);
	put(m, out, &m->a, m->n);
	put(m, out, &m->a, slots);
	put(m, out, &m->a, m->locations.n);
	put(m, out, &m->a, m->strings.n);
	for (u32 i = 0; i < slots; i++)
		put(m, out, &m->a, redirect[i]);
	for (u32 i = 0; i < slots; i++)
		put(m, out, &m->a, offset[i]);
	memcpy(vec_extend(&m->a, out, m->locations.n), m->locations.at, m->locations.n);
	memcpy(vec_extend(&m->a, out, m->strings.n), m->strings.at, m->strings.n);
	memcpy(vec_extend(&m->a, out, m->data.n), m->data.at, m->data.n);
}

static void
make(Made *m, bool big, Bytes *image)
{
	Bytes list = {0};

	*m = (Made){.big = big};
	arena_init(&m->a, NULL);
	(void)add_string(m, "", 0);
	add(m, "/m.one/p/q/A.class", "first", 5, false);
	add(m, "/m.one/p/q/B.class", "", 0, false);
	add(m, "/m.two/C.class", "third", 5, false);
	add(m, "/m.two/r/D.class", "zzz", 3, true);
	put(m, &list, &m->a, 1);
	put(m, &list, &m->a, add_string(m, "m.none", 6));
	put(m, &list, &m->a, 0);
	put(m, &list, &m->a, add_string(m, "m.one", 5));
	add(m, "/packages/p.q", list.at, list.n, false);
	finish(m, image);
}

static void
found_as_written(void **state)
{
	(void)state;
	for (u32 big = 0; big < 2; big++) {
		Made m;
		Bytes image = {0};
		Jimage img;
		JimageEntry e;
		const char *why;
		u32 n = 0;
		make(&m, big, &image);
		assert_true(jimage_open(&img, image.at, image.n, &why));
		assert_true(jimage_find(&img, "/m.one/p/q/A.class", &e, &why));
		assert_int_equal(e.n, 5);
		assert_memory_equal(e.at, "first", 5);
		assert_true(jimage_find(&img, "/m.one/p/q/B.class", &e, &why));
		assert_int_equal(e.n, 0);
		assert_true(jimage_find(&img, "/m.two/C.class", &e, &why));
		assert_memory_equal(e.at, "third", 5);
		assert_true(jimage_find(&img, "/m.two/r/D.class", &e, &why));
		assert_true(e.compressed);
		assert_false(jimage_find(&img, "/m.one/p/q/X.class", &e, &why));
		assert_false(jimage_find(&img, "/m.one/p/q/A.clas", &e, &why));
		assert_false(jimage_find(&img, "", &e, &why));
		assert_string_equal(jimage_module(&img, "p.q"), "m.one");
		assert_null(jimage_module(&img, "p"));
		for (u32 k = 0; k < img.slots; k++)
			n += jimage_at(&img, k, &e);
		assert_int_equal(n, 5);
		arena_release(&m.a);
	}
}

/* Uses everything that an image offers; only its own bytes may be read. */
static void
use(const u8 *bytes, size_t n)
{
	Jimage img;
	JimageEntry e;
	const char *why = NULL, *module;
	volatile u8 sum = 0;

	if (!jimage_open(&img, bytes, n, &why)) {
		assert_non_null(why);
		return;
	}
	for (u32 k = 0; k < img.slots && k < 256; k++)
		for (size_t i = 0; jimage_at(&img, k, &e) && i < e.n; i++)
			sum = (u8)(sum + e.at[i]);
	(void)jimage_find(&img, "/m.one/p/q/A.class", &e, &why);
	(void)jimage_find(&img, "/m.two/C.class", &e, &why);
	module = jimage_module(&img, "p.q");
	sum = (u8)(sum + (module ? strlen(module) : 0));
}

/* Each length and each flipped bit, in memory of just that size. */
static void
broken(void **state)
{
	Made m;
	Bytes image = {0};

	(void)state;
	make(&m, false, &image);
	for (u32 n = 0; n < image.n; n++) {
		u8 *copy = test_malloc(n + !n);
		memcpy(copy, image.at, n);
		use(copy, n);
		test_free(copy);
	}
	for (u32 bit = 0; bit < image.n * 8; bit++) {
		u8 *copy = test_malloc(image.n);
		memcpy(copy, image.at, image.n);
		copy[bit / 8] ^= (u8)(1 << bit % 8);
		use(copy, image.n);
		test_free(copy);
	}
	arena_release(&m.a);
}

static void
refused(void **state)
{
	static const u8 zeros[64];
	Made m;
	Bytes image = {0};
	Jimage img;
	const char *why = NULL;

	(void)state;
	assert_false(jimage_open(&img, zeros, 7, &why));
	assert_non_null(strstr(why, "too short"));
	assert_false(jimage_open(&img, zeros, sizeof zeros, &why));
	assert_non_null(strstr(why, "not an image"));
	make(&m, true, &image);
	image.at[5] = 2; /* the major version */
	assert_false(jimage_open(&img, image.at, image.n, &why));
	assert_non_null(strstr(why, "version"));
	image.at[5] = 1;
	image.at[16] = 0xFF; /* the slots */
	assert_false(jimage_open(&img, image.at, image.n, &why));
	assert_non_null(strstr(why, "cut off"));
	arena_release(&m.a);
}

/* The JDK of the tests: every class of its base module starts as one does, and
 * is found by its name. */
static void
installed(void **state)
{
	Arena a;
	const char *error = NULL, *why, *java = "/usr/bin/java";
	char *home = realpath(java, NULL), *file;
	const void *bytes;
	size_t n;
	Jimage img;
	JimageEntry e, again;
	u32 classes = 0;

	(void)state;
	assert_non_null(home); /* tools/setup installs it */
	arena_init(&a, NULL);
	file = file_join(&a, file_dir(&a, file_dir(&a, home)), "lib/modules");
	assert_true(file_map(&a, file, &bytes, &n, &error));
	assert_true(jimage_open(&img, bytes, n, &why));
	assert_string_equal(jimage_module(&img, "java.lang"), "java.base");
	for (u32 k = 0; k < img.slots; k++) {
		if (!jimage_at(&img, k, &e) || strcmp(e.module, "java.base") != 0 ||
		    strcmp(e.extension, "class") != 0)
			continue;
		assert_memory_equal(e.at, "\xCA\xFE\xBA\xBE", 4);
		if (*e.parent && classes++ % 16 == 0) {
			assert_true(jimage_find(
			    &img, arena_printf(&a, "/java.base/%s/%s.class", e.parent, e.base),
			    &again, &why));
			assert_ptr_equal(again.at, e.at);
		}
	}
	assert_in_range(classes, 5000, 20000);
	file_unmap(bytes, n);
	arena_release(&a);
	free(home);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(found_as_written),
	    cmocka_unit_test(broken),
	    cmocka_unit_test(refused),
	    cmocka_unit_test(installed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
