/* path_list.c - what a class path has: names of classes, and of providers. */
#include "jvm/path_int.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MOST = 64, LIST_MOST = 1 << 20, SERVICE_LINE = 1024 };

/* Adds name without ".class"; descriptors of modules and packages are none. */
static void
add_name(Arena *a, NameList *out, const char *name)
{
	size_t n = strlen(name), ext = strlen(".class");
	const char *base = file_base(name);

	if (n <= ext || strcmp(name + n - ext, ".class") != 0 || out->n == LIST_MOST ||
	    !strcmp(base, "module-info.class") || !strcmp(base, "package-info.class"))
		return;
	vec_push(a, out, arena_dup(a, name, n - ext));
}

/* Classes below dir, whose path from the root is under; links to directories
 * are not followed. */
static void
list_dir(ClassPath *p, const char *dir, const char *under, u32 depth, NameList *out)
{
	const char *error;
	char **names;
	u32 n;

	if (depth == DEPTH_MOST || !file_list(p->arena, dir, &names, &n, &error))
		return;
	for (u32 i = 0; i < n; i++) {
		char *file = file_join(p->arena, dir, names[i]);
		char *name = arena_printf(p->arena, "%s%s%s", under, *under ? "/" : "", names[i]);
		struct stat st;
		if (!strcmp(name, "META-INF"))
			continue; /* no package */
		if (!lstat(file, &st) && S_ISDIR(st.st_mode))
			list_dir(p, file, name, depth + 1, out);
		else
			add_name(p->arena, out, name);
	}
}

static void
list_archive(ClassPath *p, const Element *e, NameList *out)
{
	size_t skip = strlen(e->prefix);

	for (u32 k = 0; k < archive_count(e->archive); k++) {
		const char *name = archive_name(e->archive, k);
		if (!strncmp(name, e->prefix, skip) && strncmp(name, "META-INF/", 9) != 0)
			add_name(p->arena, out, name + skip);
	}
}

void
path_list(ClassPath *p, NameList *out)
{
	for (u32 i = 0; i < p->elements.n; i++) {
		const Element *e = &p->elements.at[i];
		if (e->role != PATH_INPUT)
			continue;
		if (e->kind == ELEMENT_DIR)
			list_dir(p, e->file, "", 0, out);
		else if (e->kind == ELEMENT_ARCHIVE)
			list_archive(p, e, out);
		else if (e->kind == ELEMENT_FILE)
			vec_push(p->arena, out, e->name);
	}
}

bool
path_is_archives(const ClassPath *p)
{
	bool some = false;

	for (u32 i = 0; i < p->elements.n; i++) {
		if (p->elements.at[i].role != PATH_INPUT)
			continue;
		if (p->elements.at[i].kind != ELEMENT_ARCHIVE)
			return false;
		some = true;
	}
	return some;
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

bool
path_list_module(ClassPath *p, const char *module, NameList *out)
{
	for (u32 i = 0; i < p->elements.n; i++) {
		const Element *e = &p->elements.at[i];
		JimageEntry entry;
		for (u32 k = 0; e->kind == ELEMENT_IMAGE && k < e->image.slots; k++)
			if (jimage_at(&e->image, k, &entry) && !strcmp(entry.module, module))
				add_name(p->arena, out,
					 arena_printf(p->arena, "%s%s%s.%s", entry.parent,
						      *entry.parent ? "/" : "", entry.base,
						      entry.extension));
		if (e->kind == ELEMENT_ARCHIVE && !strcmp(e->prefix, "classes/") &&
		    !strncmp(file_base(e->file), module, strlen(module)) &&
		    !strcmp(file_base(e->file) + strlen(module), ".jmod"))
			list_archive(p, e, out);
	}
	if (out->n)
		qsort(out->at, out->n, sizeof *out->at, by_name);
	return out->n != 0;
}

/* The class names of a provider file: one per line, `#` starts a comment. */
static void
add_providers(Arena *a, const char *text, size_t n, Intern *seen, NameList *out)
{
	const char *end = text + n;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t len;
		stop = stop ? stop : end;
		text += strspn(text, " \t");
		len = text < stop ? strcspn(text, " \t\r\n#") : 0;
		if (len && len < SERVICE_LINE && !intern_find(seen, text, len) &&
		    out->n < LIST_MOST) {
			(void)intern_bytes(seen, text, len);
			vec_push(a, out, arena_dup(a, text, len));
		}
		text = stop + 1;
	}
}

static void
services_of_dir(ClassPath *p, const Element *e, Intern *seen, NameList *out)
{
	const char *dir = file_join(p->arena, e->file, "META-INF/services"), *error;
	char **names, *text;
	u32 n;
	size_t size;

	if (!file_is_dir(dir) || !file_list(p->arena, dir, &names, &n, &error))
		return;
	for (u32 i = 0; i < n; i++)
		if (file_read(p->arena, file_join(p->arena, dir, names[i]), &text, &size, &error))
			add_providers(p->arena, text, size, seen, out);
}

static void
services_of_archive(ClassPath *p, const Element *e, Intern *seen, NameList *out)
{
	static const char where[] = "META-INF/services/";

	for (u32 k = 0; k < archive_count(e->archive); k++) {
		const char *why = NULL;
		u8 *text;
		size_t n;
		if (strncmp(archive_name(e->archive, k), where, sizeof where - 1) != 0)
			continue;
		if (archive_read(e->archive, k, p->arena, &text, &n, &why))
			add_providers(p->arena, (const char *)text, n, seen, out);
		else
			path_report(p, e->file, e->role,
				    arena_printf(p->arena, "%s is skipped: %s",
						 archive_name(e->archive, k), why));
	}
}

void
path_services(ClassPath *p, NameList *out)
{
	Intern seen;

	intern_init(&seen, p->arena);
	for (u32 i = 0; i < p->elements.n; i++) {
		const Element *e = &p->elements.at[i];
		if (e->role == PATH_PLATFORM)
			continue;
		if (e->kind == ELEMENT_DIR)
			services_of_dir(p, e, &seen, out);
		else if (e->kind == ELEMENT_ARCHIVE)
			services_of_archive(p, e, &seen, out);
	}
}
