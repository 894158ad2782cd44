/* store.c - see store.h.
 *
 *	DIR/CACHEDIR.TAG          backup programs leave the directory out
 *	DIR/ab/cdef...0123.kind   the entry of the name abcdef...0123
 *	DIR/ab/PID-N.tmp          one that is being written, or was when its
 *	                          writer was killed
 *
 * An entry is a head and the contents.  There are no locks: names are contents,
 * so two writers of a name write the same, rename is atomic, and a file that is
 * removed while it is read stays until its reader is done. */
#include "store_int.h"

#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FORMAT = 1, KIND_MAX = 8 };
static const char magic[4] = {'C', 'c', 'S', 't'};

typedef struct Head {
	char magic[4];
	u32 format;
	char kind[KIND_MAX]; /* with zero bytes behind */
	Digest name;
	u64 n; /* of the contents */
	Digest sum;
} Head;
static_assert(sizeof(Head) == 56, "no padding in the head of an entry");

/* ---- names -------------------------------------------------------------------- */

Digest
digest_bytes(const void *p, size_t n)
{
	XXH128_hash_t h = XXH3_128bits(p, n);

	return (Digest){h.high64, h.low64};
}

bool
digest_equal(Digest x, Digest y)
{
	return x.hi == y.hi && x.lo == y.lo;
}

static void
append(Key *k, const void *p, size_t n)
{
	u8 *to = vec_extend(k->arena, &k->bytes, n);

	if (n)
		memcpy(to, p, n);
}

void
key_init(Key *k, Arena *a, Digest first)
{
	*k = (Key){.arena = a};
	key_digest(k, first);
}

void
key_bytes(Key *k, const void *p, size_t n)
{
	key_u64(k, n);
	append(k, p, n);
}

void
key_str(Key *k, const char *s)
{
	if (s)
		key_bytes(k, s, strlen(s));
	else
		key_u64(k, UINT64_MAX);
}

void
key_u64(Key *k, u64 x)
{
	append(k, &x, sizeof x);
}

void
key_digest(Key *k, Digest d)
{
	append(k, &d, sizeof d);
}

Digest
key_name(const Key *k)
{
	return digest_bytes(k->bytes.at, k->bytes.n);
}

/* ---- the form of an entry -------------------------------------------------------- */

/* Covers the head too, but for the checksum itself. */
static Digest
checksum(const Head *h, const void *p, size_t n)
{
	Digest d[2] = {digest_bytes(h, offsetof(Head, sum)), digest_bytes(p, n)};

	return digest_bytes(d, sizeof d);
}

static Head
make_head(const char *kind, Digest name, const void *p, size_t n)
{
	Head h = {.format = FORMAT, .name = name, .n = n};

	assert(strlen(kind) < KIND_MAX);
	memcpy(h.magic, magic, sizeof magic);
	memcpy(h.kind, kind, strlen(kind));
	h.sum = checksum(&h, p, n);
	return h;
}

u8 *
store_encode(Arena *a, const char *kind, Digest name, const void *p, size_t n, size_t *length)
{
	Head h = make_head(kind, name, p, n);
	u8 *out = arena_alloc(a, sizeof h + n);

	memcpy(out, &h, sizeof h);
	if (n)
		memcpy(out + sizeof h, p, n);
	*length = sizeof h + n;
	return out;
}

const u8 *
store_decode(const void *p, size_t n, const char *kind, Digest name, size_t *length)
{
	Head h, want;

	if (n < sizeof h)
		return NULL;
	memcpy(&h, p, sizeof h);
	*length = n - sizeof h;
	if (h.n != *length)
		return NULL;
	want = make_head(kind, name, (const u8 *)p + sizeof h, *length);
	return memcmp(&h, &want, sizeof h) ? NULL : (const u8 *)p + sizeof h;
}

/* ---- reading ------------------------------------------------------------------------ */

Store *
store_open(Arena *a, const char *dir, u64 limit)
{
	Store *s = arena_new(a, Store);

	arena_init(&s->arena, NULL);
	s->dir = arena_strdup(&s->arena, dir);
	s->limit = limit;
	intern_init(&s->paths, &s->arena);
	return s;
}

const char *
store_dir(const Store *s)
{
	return s->dir;
}

const char *
store_trouble(const Store *s)
{
	return s->trouble;
}

static char *
entry_path(Arena *a, const Store *s, const char *kind, Digest name)
{
	return arena_printf(a, "%s/%02x/%014llx%016llx.%s", s->dir, (u32)(name.hi >> 56),
			    (unsigned long long)(name.hi << 8 >> 8), (unsigned long long)name.lo,
			    kind);
}

/* Reads a regular file and leaves it open; -1 if there is none.  A copy is taken
 * because a mapped file may shrink under its reader. */
static int
read_file(Arena *a, const char *path, u8 **bytes, size_t *n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	size_t have = 0;
	ssize_t got = 0;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*n = (size_t)st.st_size;
		*bytes = arena_alloc(a, *n + 1);
		while (have < *n && ((got = read(fd, *bytes + have, *n - have)) > 0 ||
				     (got < 0 && errno == EINTR)))
			have += got > 0 ? (size_t)got : 0;
		if (have == *n)
			return fd;
	}
	close(fd);
	return -1;
}

bool
store_get(Store *s, const char *kind, Digest name, StoreEntry *e)
{
	u8 *bytes;
	size_t n;
	int fd;

	*e = (StoreEntry){0};
	fd = read_file(&e->arena, entry_path(&e->arena, s, kind, name), &bytes, &n);
	e->bytes = fd >= 0 ? store_decode(bytes, n, kind, name, &e->n) : NULL;
	if (e->bytes)
		(void)futimens(fd, NULL); /* used just now */
	if (fd >= 0)
		close(fd);
	if (!e->bytes)
		store_close_entry(e);
	return e->bytes;
}

void
store_close_entry(StoreEntry *e)
{
	arena_release(&e->arena);
	*e = (StoreEntry){0};
}

/* ---- writing ------------------------------------------------------------------------- */

static bool
fail(Store *s, const char *path)
{
	if (!s->trouble)
		s->trouble = arena_printf(&s->arena, "%s: %s", path, strerror(errno));
	return false;
}

static void
write_tag(const Store *s, Arena *a)
{
	static const char text[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
				   "# What concord has computed before; may be removed.\n";
	int fd = open(file_join(a, s->dir, "CACHEDIR.TAG"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		      0666);

	if (fd >= 0 && write(fd, text, sizeof text - 1) < 0) {
		close(fd); /* the tag is no more than a courtesy */
		return;
	}
	if (fd >= 0)
		close(fd);
}

/* Makes path and what is above it; only this user can read what is new. */
static bool
make_dirs(Arena *a, const char *path)
{
	char *copy = arena_strdup(a, path);

	for (char *at = strchr(copy + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = 0;
		(void)mkdir(copy, 0700);
		*at = '/';
	}
	return !mkdir(copy, 0700) || errno == EEXIST;
}

static bool
write_all(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n) {
		ssize_t k = write(fd, at, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		at += k;
		n -= (size_t)k;
	}
	return true;
}

static bool
write_entry(const char *temp, const char *path, const Head *h, const void *p, size_t n)
{
	int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), error;
	bool ok;

	if (fd < 0)
		return false;
	ok = write_all(fd, h, sizeof *h) && write_all(fd, p, n);
	ok = !close(fd) && ok && !rename(temp, path);
	error = errno;
	if (!ok)
		(void)unlink(temp);
	errno = error;
	return ok;
}

void
store_put(Store *s, const char *kind, Digest name, const void *p, size_t n)
{
	Head h = make_head(kind, name, p, n);
	const char *path, *dir;
	Arena a;

	if (s->trouble || (s->limit && n > s->limit / 2))
		return;
	arena_init(&a, NULL);
	path = entry_path(&a, s, kind, name);
	dir = file_dir(&a, path);
	if (!make_dirs(&a, dir) ||
	    !write_entry(arena_printf(&a, "%s/%ld-%u.tmp", dir, (long)getpid(), s->written), path,
			 &h, p, n))
		fail(s, path);
	else if (!s->written++)
		write_tag(s, &a);
	arena_release(&a);
}

void
store_close(Store *s)
{
	if (s->written && s->limit)
		store_trim(s->dir, s->limit);
	arena_release(&s->arena);
}

/* ---- other files ------------------------------------------------------------------------ */

static StoreFile *
file_of(Store *s, const char *path)
{
	u32 id = intern_str(&s->paths, path);

	while (s->files.n <= id)
		(void)vec_extend(&s->arena, &s->files, 1);
	return &s->files.at[id];
}

bool
store_file(Store *s, const char *path, Digest *d)
{
	StoreFile *f = file_of(s, path);
	u8 *bytes;
	size_t n;
	Arena a;
	int fd;

	if (f->read == KNOWN_NOT) {
		arena_init(&a, NULL);
		fd = read_file(&a, path, &bytes, &n);
		f->read = fd >= 0 ? KNOWN_YES : KNOWN_NO;
		if (fd >= 0) {
			f->digest = digest_bytes(bytes, n);
			close(fd);
		}
		arena_release(&a);
	}
	*d = f->digest;
	return f->read == KNOWN_YES;
}

bool
store_probe(Store *s, const char *path)
{
	StoreFile *f = file_of(s, path);

	if (f->exists == KNOWN_NOT)
		f->exists = access(path, F_OK) ? KNOWN_NO : KNOWN_YES;
	return f->exists == KNOWN_YES;
}
