/* path.c - see path.h.
 *
 * Names are looked up where they are wanted, element by element; there is no
 * index of all classes, since a program uses few of those it could.  The
 * platform's image has its own. */
#include "jvm/path_int.h"

#include "base/file.h"
#include "base/reader.h"
#include "jvm/jvm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SKIPPED_MOST = 1000, VERSION_OFFSET = 44 };

ClassPath *
path_new(Arena *a, Diag *diag)
{
	ClassPath *p = arena_new(a, ClassPath);

	p->arena = a;
	p->diag = diag;
	intern_init(&p->seen, a);
	intern_init(&p->skips, a);
	intern_init(&p->hidden, a);
	return p;
}

void
path_release(ClassPath *p)
{
	for (u32 i = 0; i < p->elements.n; i++) {
		Element *e = &p->elements.at[i];
		if (e->archive)
			archive_close(e->archive);
		file_unmap(e->map, e->n);
	}
	p->elements.n = 0;
}

void
path_report(ClassPath *p, const char *file, PathRole role, const char *why)
{
	diag_at(p->diag, role == PATH_INPUT ? DIAG_ERROR : DIAG_WARNING, file, 0, 0, "%s", why);
	if (p->skipped.n < SKIPPED_MOST)
		vec_push(p->arena, &p->skipped, arena_printf(p->arena, "%s: %s", file, why));
}

/* A class's name as a programmer writes it. */
static const char *
dotted(Arena *a, const char *name)
{
	char *s = arena_strdup(a, name);

	for (char *c = s; *c; c++)
		*c = *c == '/' ? '.' : *c;
	return s;
}

bool
path_has_skipped(const ClassPath *p, const char *name)
{
	return intern_find(&p->skips, name, strlen(name)) != 0;
}

void
path_skip(ClassPath *p, const char *name, const char *from, PathRole role, const char *why)
{
	if (path_has_skipped(p, name))
		return;
	(void)intern_str(&p->skips, name);
	path_report(p, from, role,
		    arena_printf(p->arena, "class %s is skipped: %s", dotted(p->arena, name), why));
}

const NameList *
path_skipped(const ClassPath *p)
{
	return &p->skipped;
}

u32
path_version(const ClassPath *p)
{
	return p->version;
}

const char *
path_main(const ClassPath *p)
{
	return p->main;
}

/* ---- adding ----------------------------------------------------------------- */

/* False if the file was added before, by whatever name. */
static bool
is_new(ClassPath *p, const char *file)
{
	char real[PATH_MAX];
	const char *name = realpath(file, real) ? real : file;

	if (intern_find(&p->seen, name, strlen(name)))
		return false;
	(void)intern_str(&p->seen, name);
	return true;
}

static void
add_archive(ClassPath *p, Element *e)
{
	const char *why;
	const ArchiveFlaw *flaws;
	u32 n;

	e->archive = archive_open(p->arena, e->map, e->n, &why);
	if (!e->archive) {
		path_report(p, e->file, e->role, why);
		file_unmap(e->map, e->n);
		return;
	}
	e->prefix = !strcmp(file_ext(e->file), "jmod") ? "classes/" : "";
	flaws = archive_flaws(e->archive, &n);
	for (u32 i = 0; i < n; i++)
		path_report(p, e->file, e->role,
			    arena_printf(p->arena, "entry '%s' is left out: %s", flaws[i].name,
					 flaws[i].why));
	vec_push(p->arena, &p->elements, *e);
	path_add_manifest(p, p->elements.n - 1);
}

/* The directory in which a virtual machine would look for the class's others:
 * what is left of file without the class's name; null if they do not agree. */
static const char *
root_of(Arena *a, const char *file, const char *name)
{
	size_t n = strlen(file), m = strlen(name) + strlen(".class");

	if (n < m || strncmp(file + n - m, name, strlen(name)) != 0 ||
	    (n > m && file[n - m - 1] != '/'))
		return NULL;
	return n == m ? "." : n == m + 1 ? "/" : arena_dup(a, file, n - m - 1);
}

const char *
path_root(Arena *a, const char *file)
{
	const char *why = NULL, *root = NULL;
	const void *map;
	ClassFile c;
	size_t n;

	if (!file_map(a, file, &map, &n, &why))
		return NULL;
	if (class_parse(&c, a, map, n, &why))
		root = root_of(a, file, arena_dup(a, c.name.at, c.name.n));
	file_unmap(map, n);
	return root;
}

static void
add_class(ClassPath *p, Element *e)
{
	const char *why = NULL, *root;
	ClassFile c;

	if (!class_parse(&c, p->arena, e->map, e->n, &why)) {
		path_report(p, e->file, e->role, why);
		file_unmap(e->map, e->n);
		return;
	}
	e->name = arena_dup(p->arena, c.name.at, c.name.n);
	vec_push(p->arena, &p->elements, *e);
	root = root_of(p->arena, e->file, e->name);
	if (root && is_new(p, root))
		vec_push(p->arena, &p->elements, (Element){ELEMENT_DIR, PATH_BESIDE, .file = root});
}

bool
path_add(ClassPath *p, const char *file, PathRole role)
{
	Element e = {.role = role, .file = file};
	const char *error = NULL;
	u32 before = p->elements.n;

	if (!is_new(p, file))
		return true;
	if (file_is_dir(file)) {
		vec_push(p->arena, &p->elements, e);
		return true;
	}
	if (!file_map(p->arena, file, &e.map, &e.n, &error)) {
		path_report(p, file, role, error);
		return false;
	}
	e.kind = !strcmp(file_ext(file), "class") ? ELEMENT_FILE : ELEMENT_ARCHIVE;
	if (e.kind == ELEMENT_FILE)
		add_class(p, &e);
	else
		add_archive(p, &e);
	return p->elements.n > before;
}

/* All jars of a directory, by name. */
static void
add_jars(ClassPath *p, const char *dir, PathRole role)
{
	const char *error = NULL;
	char **names;
	u32 n;

	if (!file_list(p->arena, dir, &names, &n, &error)) {
		path_report(p, dir, role, error);
		return;
	}
	for (u32 i = 0; i < n; i++)
		if (!strcasecmp(file_ext(names[i]), "jar"))
			(void)path_add(p, file_join(p->arena, dir, names[i]), role);
}

void
path_add_list(ClassPath *p, const char *list, PathRole role)
{
	while (*list) {
		size_t n = strcspn(list, ":");
		char *file = arena_dup(p->arena, list, n);
		if (n && file[n - 1] == '*' && (n == 1 || file[n - 2] == '/'))
			add_jars(p, n == 1 ? "." : file_dir(p->arena, file), role);
		else if (n)
			(void)path_add(p, file, role);
		list += n + (list[n] == ':');
	}
}

/* ---- finding ---------------------------------------------------------------- */

/* Is it a name that a class can have, and no path to something else? */
static bool
is_class_name(const char *s)
{
	if (!*s || *s == '/' || *s == '[')
		return false;
	for (; *s; s++)
		if (*s == '.' || *s == ';' || *s == '\\' || (*s == '/' && (!s[1] || s[1] == '/')))
			return false;
	return true;
}

/* The archive's entry for the class: the newest for the platform in use. */
static bool
find_entry(const ClassPath *p, const Element *e, const char *name, u32 *k)
{
	char file[PATH_MAX];

	for (u32 v = p->version ? MIN(p->version, 63) : 63; e->versions >> 9 && v >= 9; v--)
		if (e->versions >> v & 1 &&
		    snprintf(file, sizeof file, "META-INF/versions/%u/%s.class", v, name) <
			(int)sizeof file &&
		    archive_find(e->archive, file, k))
			return true;
	return snprintf(file, sizeof file, "%s%s.class", e->prefix, name) < (int)sizeof file &&
	       archive_find(e->archive, file, k);
}

static bool
find_in_image(const Element *e, const char *name, ClassBytes *out, const char **why)
{
	char package[PATH_MAX], file[PATH_MAX];
	const char *module, *slash = strrchr(name, '/');
	size_t n = slash ? (size_t)(slash - name) : 0;
	JimageEntry entry;

	if (n >= sizeof package)
		return false;
	memcpy(package, name, n);
	package[n] = 0;
	for (char *s = package; *s; s++)
		*s = *s == '/' ? '.' : *s;
	module = jimage_module(&e->image, package);
	if (!module ||
	    snprintf(file, sizeof file, "/%s/%s.class", module, name) >= (int)sizeof file ||
	    !jimage_find(&e->image, file, &entry, why))
		return false;
	if (entry.compressed) {
		*why = "the image of modules is compressed";
		return false;
	}
	out->at = entry.at;
	out->n = entry.n;
	return true;
}

static bool
find_in_dir(ClassPath *p, const Element *e, const char *name, ClassBytes *out, const char **why)
{
	const char *file = file_join(p->arena, e->file, arena_printf(p->arena, "%s.class", name));
	char *bytes;

	if (!file_exists(file))
		return false;
	out->from = file;
	if (!file_read(p->arena, file, &bytes, &out->n, why))
		return false;
	out->at = (const u8 *)bytes;
	return true;
}

/* Looks in one element; *why if it is there and of no use. */
static bool
find_in(ClassPath *p, const Element *e, const char *name, ClassBytes *out, const char **why)
{
	u8 *bytes;
	u32 k;

	*out = (ClassBytes){.from = e->file, .role = e->role};
	switch (e->kind) {
	case ELEMENT_DIR: return find_in_dir(p, e, name, out, why);
	case ELEMENT_IMAGE: return find_in_image(e, name, out, why);
	case ELEMENT_FILE:
		out->at = e->map;
		out->n = e->n;
		return !strcmp(e->name, name);
	case ELEMENT_ARCHIVE:
		if (!find_entry(p, e, name, &k) ||
		    !archive_read(e->archive, k, p->arena, &bytes, &out->n, why))
			return false;
		out->at = bytes;
		return true;
	}
	return false;
}

/* Warns of a second class of the same name among the inputs behind element i;
 * what follows by a manifest or --classpath is often meant to be hidden. */
static void
report_hidden(ClassPath *p, u32 i, const char *name, const ClassBytes *first)
{
	if (intern_find(&p->hidden, name, strlen(name)))
		return;
	(void)intern_str(&p->hidden, name);
	for (u32 k = i + 1; k < p->elements.n; k++) {
		const Element *e = &p->elements.at[k];
		ClassBytes second;
		const char *why = NULL;
		if (e->role != PATH_INPUT || !find_in(p, e, name, &second, &why))
			continue;
		path_report(p, second.from, PATH_LIBRARY,
			    arena_printf(p->arena, "class %s is skipped: that of %s comes first",
					 dotted(p->arena, name), first->from));
	}
}

bool
path_find(ClassPath *p, const char *name, ClassBytes *out)
{
	if (!is_class_name(name) || path_has_skipped(p, name))
		return false;
	for (u32 i = 0; i < p->elements.n; i++) {
		const Element *e = &p->elements.at[i];
		const char *why = NULL;
		if (find_in(p, e, name, out, &why)) {
			if (e->role == PATH_INPUT)
				report_hidden(p, i, name, out);
			return true;
		}
		if (why) {
			path_skip(p, name, out->from, e->role, why);
			return false;
		}
	}
	return false;
}
