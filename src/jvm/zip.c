/* zip.c - see zip.h.
 *
 * A zip bomb is small and claims, or is, something huge.  Nothing is read
 * beyond the size that an entry states, that size is bounded by ARCHIVE_MOST
 * and, for what is not tiny, by a ratio that class files stay far below; and
 * all that is ever read from an archive by its own size times that ratio. */
#include "jvm/zip.h"

#include "base/map.h"
#include "base/vec.h"

#include <pthread.h>
#include <string.h>
#include <zip.h>

enum { TINY = 1 << 20, RATIO = 200, FLAWS = 64 };

struct Archive {
	Arena *arena;
	zip_t *zip;
	Intern names;   /* id - 1 is the number of the entry */
	Vec(u64) index; /* of each entry, libzip's */
	Vec(ArchiveFlaw) flaws;
	u64 size, read;        /* bytes of the archive, and of all that was read from it */
	pthread_mutex_t mutex; /* libzip's state */
};

static const char *
message(Arena *a, zip_error_t *e)
{
	return arena_printf(a, "the zip archive is broken: %s", zip_error_strerror(e));
}

/* Why an entry of that name is not wanted; null: it is. */
static const char *
is_unsafe(const char *name)
{
	if (*name == '/' || strchr(name, '\\') || (name[0] && name[1] == ':'))
		return "its name is no path inside the archive";
	for (const char *s = name; s; s = strchr(s, '/') ? strchr(s, '/') + 1 : NULL)
		if (!strncmp(s, "..", 2) && (!s[2] || s[2] == '/'))
			return "its name leads out of the archive";
	return NULL;
}

static void
add_flaw(Archive *z, const char *name, const char *why)
{
	if (z->flaws.n < FLAWS)
		vec_push(z->arena, &z->flaws, (ArchiveFlaw){arena_strdup(z->arena, name), why});
}

static void
list(Archive *z)
{
	zip_int64_t n = zip_get_num_entries(z->zip, 0);

	for (zip_int64_t i = 0; i < n; i++) {
		const char *name = zip_get_name(z->zip, (zip_uint64_t)i, ZIP_FL_ENC_RAW), *why;
		size_t len = name ? strlen(name) : 0;
		if (!len || name[len - 1] == '/')
			continue;
		why = is_unsafe(name);
		if (!why && intern_find(&z->names, name, len))
			why = "the archive has an entry of this name already";
		if (why) {
			add_flaw(z, name, why);
			continue;
		}
		(void)intern_bytes(&z->names, name, len);
		vec_push(z->arena, &z->index, (u64)i);
	}
}

Archive *
archive_open(Arena *a, const void *p, size_t n, const char **why)
{
	static const u8 jmod[4] = {'J', 'M', 1, 0};
	Archive *z = arena_new(a, Archive);
	zip_source_t *src;
	zip_error_t e;

	if (n >= sizeof jmod && !memcmp(p, jmod, sizeof jmod)) {
		p = (const u8 *)p + sizeof jmod;
		n -= sizeof jmod;
	}
	if (!n) {
		*why = "the file is empty";
		return NULL;
	}
	z->arena = a;
	z->size = n;
	zip_error_init(&e);
	src = zip_source_buffer_create(p, n, 0, &e);
	z->zip = src ? zip_open_from_source(src, ZIP_RDONLY, &e) : NULL;
	if (!z->zip) {
		*why = message(a, &e);
		if (src)
			zip_source_free(src);
		zip_error_fini(&e);
		return NULL;
	}
	zip_error_fini(&e);
	intern_init(&z->names, a);
	pthread_mutex_init(&z->mutex, NULL);
	list(z);
	return z;
}

void
archive_close(Archive *z)
{
	zip_discard(z->zip);
	pthread_mutex_destroy(&z->mutex);
}

u32
archive_count(const Archive *z)
{
	return z->index.n;
}

const char *
archive_name(const Archive *z, u32 k)
{
	return intern_get(&z->names, k + 1);
}

bool
archive_find(const Archive *z, const char *name, u32 *k)
{
	u32 id = intern_find(&z->names, name, strlen(name));

	*k = id - 1;
	return id != 0;
}

const ArchiveFlaw *
archive_flaws(const Archive *z, u32 *n)
{
	*n = z->flaws.n;
	return z->flaws.at;
}

/* Why an entry with these properties is not read; null: it is. */
static const char *
refuse(const Archive *z, const zip_stat_t *st)
{
	const u64 all = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_ENCRYPTION_METHOD;

	if ((st->valid & all) != all)
		return "the archive does not say how large the entry is";
	if (st->encryption_method != ZIP_EM_NONE)
		return "the entry is encrypted";
	if (st->size > ARCHIVE_MOST)
		return "the entry is too large for what it is";
	if (st->size > TINY && st->size / RATIO > st->comp_size)
		return "the entry is compressed beyond belief";
	if (z->read + st->size > z->size * RATIO + ARCHIVE_MOST)
		return "the archive holds far more than its size allows";
	return NULL;
}

/* Reads exactly size bytes; false if there are fewer or more. */
static bool
drain(zip_file_t *f, u8 *to, u64 size)
{
	u64 have = 0;
	u8 more;

	while (have < size) {
		zip_int64_t got = zip_fread(f, to + have, size - have);
		if (got <= 0)
			return false;
		have += (u64)got;
	}
	/* The checksum is compared at the end only. */
	return zip_fread(f, &more, 1) == 0;
}

static bool
read_entry(Archive *z, u64 index, Arena *a, u8 **bytes, size_t *n, const char **why)
{
	zip_stat_t st;
	zip_file_t *f;
	bool ok;

	zip_stat_init(&st);
	if (zip_stat_index(z->zip, index, 0, &st)) {
		*why = message(a, zip_get_error(z->zip));
		return false;
	}
	*why = refuse(z, &st);
	if (*why)
		return false;
	f = zip_fopen_index(z->zip, index, 0);
	if (!f) {
		*why = message(a, zip_get_error(z->zip));
		return false;
	}
	z->read += st.size;
	*n = (size_t)st.size;
	*bytes = arena_alloc(a, *n + 1);
	ok = drain(f, *bytes, st.size);
	if (!ok)
		*why = zip_error_code_zip(zip_file_get_error(f)) != ZIP_ER_OK
			   ? message(a, zip_file_get_error(f))
			   : "the entry is not as long as the archive says";
	zip_fclose(f);
	return ok;
}

bool
archive_read(Archive *z, u32 k, Arena *a, u8 **bytes, size_t *n, const char **why)
{
	bool ok;

	assert(k < z->index.n);
	pthread_mutex_lock(&z->mutex);
	ok = read_entry(z, z->index.at[k], a, bytes, n, why);
	pthread_mutex_unlock(&z->mutex);
	return ok;
}
