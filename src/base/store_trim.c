/* store_trim.c - what is in a store, and keeping it small.
 *
 * Only files that look like the store's own are ever removed, so that a wrong
 * --cache loses nobody's files.  Runs that trim at once may remove the same
 * files; what one run has open stays readable to it. */
#include "store_int.h"

#include "file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DIR_DIGITS = 2, FILE_DIGITS = 30, ABANDONED = 3600 /* seconds */ };

typedef struct Entry {
	const char *path, *kind; /* no kind: a temporary file */
	u64 bytes;
	struct timespec used;
} Entry;
typedef Vec(Entry) Entries;

static bool
is_hex(const char *s, size_t n)
{
	return strspn(s, "0123456789abcdef") == n;
}

/* The kind of the entry of that name, "" for a temporary file, null for
 * anything else. */
static const char *
kind_of(const char *name)
{
	const char *dot = strchr(name, '.');
	size_t n = dot ? (size_t)(dot - name) : 0, k = dot ? strlen(dot + 1) : 0;

	if (dot && !strcmp(dot, ".tmp") && strspn(name, "0123456789-") == n)
		return "";
	if (n != FILE_DIGITS || !is_hex(name, n) || !k ||
	    strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz") != k)
		return NULL;
	return dot + 1;
}

static void
add_entries(Arena *a, const char *dir, Entries *out)
{
	const char *error;
	char **names;
	u32 n;

	if (!file_list(a, dir, &names, &n, &error))
		return;
	for (u32 i = 0; i < n; i++) {
		Entry e = {.path = file_join(a, dir, names[i]), .kind = kind_of(names[i])};
		struct stat st;
		if (!e.kind || lstat(e.path, &st) || !S_ISREG(st.st_mode))
			continue;
		e.bytes = (u64)st.st_blocks * 512;
		e.used = st.st_mtim;
		vec_push(a, out, e);
	}
}

static void
list_entries(Arena *a, const char *dir, Entries *out)
{
	const char *error;
	char **names;
	u32 n;

	if (!file_list(a, dir, &names, &n, &error))
		return;
	for (u32 i = 0; i < n; i++)
		if (strlen(names[i]) == DIR_DIGITS && is_hex(names[i], DIR_DIGITS))
			add_entries(a, file_join(a, dir, names[i]), out);
}

static int
by_use(const void *x, const void *y)
{
	const Entry *p = x, *q = y;

	if (p->used.tv_sec != q->used.tv_sec)
		return p->used.tv_sec < q->used.tv_sec ? -1 : 1;
	if (p->used.tv_nsec != q->used.tv_nsec)
		return p->used.tv_nsec < q->used.tv_nsec ? -1 : 1;
	return strcmp(p->path, q->path);
}

void
store_trim(const char *dir, u64 limit)
{
	time_t now = time(NULL);
	Entries list = {0};
	u64 total = 0;
	Arena a;

	arena_init(&a, NULL);
	list_entries(&a, dir, &list);
	for (u32 i = 0; i < list.n; i++) {
		if (!*list.at[i].kind && list.at[i].used.tv_sec + ABANDONED < now)
			(void)unlink(list.at[i].path);
		else
			total += list.at[i].bytes;
	}
	if (total > limit) {
		qsort(list.at, list.n, sizeof *list.at, by_use);
		for (u32 i = 0; i < list.n && total > limit / 10 * 9; i++)
			if (*list.at[i].kind && !unlink(list.at[i].path))
				total -= list.at[i].bytes;
	}
	arena_release(&a);
}

/* ---- for the user ------------------------------------------------------------------ */

static int
by_kind(const void *x, const void *y)
{
	return strcmp(((const StoreCount *)x)->kind, ((const StoreCount *)y)->kind);
}

void
store_count(Arena *a, const char *dir, StoreCounts *counts)
{
	Entries list = {0};

	list_entries(a, dir, &list);
	for (u32 i = 0; i < list.n; i++) {
		const char *kind = *list.at[i].kind ? list.at[i].kind : "tmp";
		u32 k = 0;
		while (k < counts->n && strcmp(counts->at[k].kind, kind))
			k++;
		if (k == counts->n)
			vec_push(a, counts, (StoreCount){kind, 0, 0});
		counts->at[k].files++;
		counts->at[k].bytes += list.at[i].bytes;
	}
	if (counts->n)
		qsort(counts->at, counts->n, sizeof *counts->at, by_kind);
}

bool
store_clear(Arena *a, const char *dir)
{
	Entries list = {0};
	const char *error;
	char **names;
	bool ok = true;
	u32 n;

	list_entries(a, dir, &list);
	for (u32 i = 0; i < list.n; i++)
		ok = !unlink(list.at[i].path) && ok;
	if (!file_list(a, dir, &names, &n, &error))
		return ok;
	for (u32 i = 0; i < n; i++)
		if (strlen(names[i]) == DIR_DIGITS && is_hex(names[i], DIR_DIGITS))
			(void)rmdir(file_join(a, dir, names[i]));
	return ok;
}
