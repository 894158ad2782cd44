/* file.c - see file.h.  A file is replaced by writing a temporary one in its
 * directory and renaming it, which POSIX makes atomic. */
#include "file.h"
#include "vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
fail(Arena *a, const char **error, const char *what, const char *path)
{
	*error = arena_printf(a, "cannot %s %s: %s", what, *path ? path : "''", strerror(errno));
	return false;
}

/* Reads fd to its end; guess is its size if known. */
static bool
drain(Arena *a, int fd, size_t guess, char **bytes, size_t *n)
{
	size_t cap = MAX(guess + 1, FIRST_CAP((size_t)1 << 16));
	char *at = arena_alloc(a, cap);
	size_t have = 0;

	for (;;) {
		ssize_t got;
		if (have + 1 >= cap) {
			at = arena_grow(a, at, cap, cap * 2);
			cap *= 2;
		}
		got = read(fd, at + have, cap - have - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return false;
		if (!got)
			break;
		have += (size_t)got;
	}
	at[have] = 0;
	*bytes = at;
	*n = have;
	return true;
}

bool
file_read(Arena *a, const char *path, char **bytes, size_t *n, const char **error)
{
	bool in = !strcmp(path, "-");
	int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool ok;

	if (fd < 0)
		return fail(a, error, "open", path);
	ok = !fstat(fd, &st);
	/* A device may have no end. */
	if (ok && !in && (S_ISDIR(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP;
		ok = false;
	}
	ok = ok && drain(a, fd, S_ISREG(st.st_mode) ? (size_t)st.st_size : 0, bytes, n);
	if (!ok)
		fail(a, error, "read", in ? "standard input" : path);
	if (!in)
		close(fd);
	return ok;
}

size_t
file_mark(const char *text, size_t n)
{
	return n >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;
}

bool
file_map(Arena *a, const char *path, const void **bytes, size_t *n, const char **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *p = NULL;

	if (fd < 0)
		return fail(a, error, "open", path);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		errno = S_ISDIR(st.st_mode) ? EISDIR : ENOTSUP;
		p = MAP_FAILED;
	} else if (st.st_size) {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	*bytes = p;
	*n = (size_t)st.st_size;
	if (p == MAP_FAILED)
		fail(a, error, "read", path);
	close(fd);
	return p != MAP_FAILED;
}

void
file_unmap(const void *bytes, size_t n)
{
	if (bytes)
		munmap((void *)(uintptr_t)bytes, n);
}

/* Opens a new file beside path, with the mode that path has or would get. */
static int
open_beside(Arena *a, const char *path, const struct stat *old, const char **temp)
{
	int fd = -1;

	for (u32 i = 0; fd < 0 && i < 100; i++) {
		*temp = arena_printf(a, "%s.%ld.%u.tmp", path, (long)getpid(), i);
		fd = open(*temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0 && old && fchmod(fd, old->st_mode & 07777))
		return fd; /* a mode that cannot be kept is no reason to lose the file */
	return fd;
}

/* What path names in the end, so that a link to a file stays a link. */
static const char *
resolve(Arena *a, const char *path)
{
	char *real = realpath(path, NULL);
	const char *kept = real ? arena_strdup(a, real) : path;

	free(real);
	return kept;
}

bool
file_out_open(FileOut *out, Arena *a, const char *path, const char **error)
{
	struct stat st;
	bool exists;
	int fd;

	*out = (FileOut){stdout, NULL, NULL};
	if (!path || !strcmp(path, "-"))
		return true;
	exists = !stat(path, &st);
	if (exists && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return fail(a, error, "write", path);
	}
	if (exists && !S_ISREG(st.st_mode)) {
		out->path = path;
		fd = open(path, O_WRONLY | O_CLOEXEC);
	} else {
		out->path = exists ? resolve(a, path) : arena_strdup(a, path);
		fd = open_beside(a, out->path, exists ? &st : NULL, &out->temp);
	}
	if (fd < 0)
		return fail(a, error, "write", path);
	out->to = fdopen(fd, "w");
	return out->to || fail(a, error, "write", path);
}

bool
file_out_commit(FileOut *out, Arena *a, const char **error)
{
	bool ok = !fflush(out->to) && !ferror(out->to);

	if (!out->path)
		return ok || fail(a, error, "write", "standard output");
	ok = !fclose(out->to) && ok;
	out->to = NULL;
	if (ok && out->temp)
		ok = !rename(out->temp, out->path);
	if (ok)
		return true;
	fail(a, error, "write", out->path);
	if (out->temp)
		unlink(out->temp);
	return false;
}

void
file_out_abandon(FileOut *out)
{
	if (!out->path)
		return;
	fclose(out->to);
	if (out->temp)
		unlink(out->temp);
	out->to = NULL;
}

bool
file_write(Arena *a, const char *path, const void *p, size_t n, const char **error)
{
	FileOut out;

	if (!file_out_open(&out, a, path, error))
		return false;
	if (n)
		fwrite(p, 1, n, out.to);
	return file_out_commit(&out, a, error);
}

void
file_text_open(FileText *t)
{
	*t = (FileText){0};
	t->to = open_memstream(&t->bytes, &t->n);
	if (!t->to)
		fatal("no memory for a report");
}

void
file_text_close(FileText *t, Arena *a, char **bytes, size_t *n)
{
	if (fclose(t->to))
		fatal("no memory for a report");
	*bytes = arena_dup(a, t->bytes, t->n);
	*n = t->n;
	free(t->bytes);
}

bool
file_temp_dir(Arena *a, char **path, const char **error)
{
	const char *dir = getenv("TMPDIR");

	*path = arena_printf(a, "%s/concord-XXXXXX", dir && *dir ? dir : "/tmp");
	return mkdtemp(*path) || fail(a, error, "make a directory", *path);
}

/* Removes what is in the directory fd, and closes it.  Each level is one
 * directory deep, so the recursion is bounded by the longest path name. */
static void
empty_dir(int fd)
{
	DIR *dir = fdopendir(fd);
	struct dirent *e;

	if (!dir) {
		close(fd);
		return;
	}
	while ((e = readdir(dir))) {
		int sub;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (!unlinkat(fd, e->d_name, 0))
			continue;
		sub = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (sub >= 0)
			empty_dir(sub);
		unlinkat(fd, e->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
}

void
file_remove_tree(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0) {
		unlink(path);
		return;
	}
	empty_dir(fd);
	rmdir(path);
}

const char *
file_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *
file_ext(const char *path)
{
	const char *dot = strrchr(file_base(path), '.');

	return dot ? dot + 1 : path + strlen(path);
}

char *
file_dir(Arena *a, const char *path)
{
	const char *base = file_base(path);

	if (base == path)
		return arena_strdup(a, ".");
	if (base == path + 1)
		return arena_strdup(a, "/");
	return arena_dup(a, path, (size_t)(base - path - 1));
}

char *
file_join(Arena *a, const char *dir, const char *path)
{
	if (*path == '/' || !*dir)
		return arena_strdup(a, path);
	return arena_printf(a, "%s/%s", dir, path);
}

/* Says whether to, of n bytes, ends in a step that a following ".." undoes. */
static bool
can_step_back(char *to, size_t n)
{
	struct stat st;
	bool link;

	to[n] = 0;
	link = !lstat(to, &st) && S_ISLNK(st.st_mode);
	return n && !link && !(n >= 3 && !strcmp(to + n - 3, "/.."));
}

char *
file_shorten(Arena *a, const char *path, const char *cwd)
{
	char *to = arena_alloc(a, strlen(path) + 2);
	size_t n = 0, k = strlen(cwd);

	if (*path != '/')
		return arena_strdup(a, path);
	while (*path) {
		size_t step;
		path += strspn(path, "/");
		step = strcspn(path, "/");
		if (step == 2 && !memcmp(path, "..", 2) && can_step_back(to, n)) {
			while (to[--n] != '/')
				continue;
		} else if (step && !(step == 1 && *path == '.')) {
			to[n++] = '/';
			memcpy(to + n, path, step);
			n += step;
		}
		path += step;
	}
	if (!n)
		to[n++] = '/';
	to[n] = 0;
	return k > 1 && !strncmp(to, cwd, k) && to[k] == '/' ? to + k + 1 : to;
}

bool
file_same(const char *x, const char *y)
{
	struct stat a, b;

	return !stat(x, &a) && !stat(y, &b) && S_ISREG(a.st_mode) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool
file_exists(const char *path)
{
	struct stat st;

	return !stat(path, &st);
}

bool
file_is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int
compare(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

bool
file_list(Arena *a, const char *dir, char ***names, u32 *n, const char **error)
{
	Vec(char *) list = {0};
	DIR *d = opendir(dir);
	struct dirent *e;

	if (!d)
		return fail(a, error, "read", dir);
	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			vec_push(a, &list, arena_strdup(a, e->d_name));
	closedir(d);
	if (list.n)
		qsort(list.at, list.n, sizeof *list.at, compare);
	*names = list.at;
	*n = list.n;
	return true;
}
