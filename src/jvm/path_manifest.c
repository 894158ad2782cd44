/* path_manifest.c - what a jar's manifest says: where the program starts, which
 * other files it needs, and whether it has classes for several versions.
 *
 * Manifests can name each other in circles and by any path; each file is added
 * once, and their number is bounded. */
#include "jvm/path_int.h"

#include "base/file.h"

#include <string.h>

enum { LINKED_MOST = 4096, VERSION_FIRST = 9, VERSION_MOST = 63 };

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Takes %20 and the like out of a URL's path, in place. */
static void
unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (*s == '%' && hex(s[1]) >= 0 && hex(s[2]) >= 0 && hex(s[1]) + hex(s[2])) {
			*to++ = (char)(hex(s[1]) << 4 | hex(s[2]));
			s += 2;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

/* Adds one file of a Class-Path; one that is not there is ignored, as a virtual
 * machine does. */
static void
add_linked(ClassPath *p, const char *jar, char *url, PathRole role)
{
	char *file;

	unescape(url);
	if (strchr(url, ':') || *url == '/') {
		diag_warning(p->diag, jar,
			     "the manifest's Class-Path names '%s', which is no relative path",
			     url);
		return;
	}
	file = file_join(p->arena, file_dir(p->arena, jar), url);
	if (!file_exists(file))
		return;
	if (p->linked++ == LINKED_MOST)
		path_report(p, jar, role, "manifests name more files than are read");
	else if (p->linked < LINKED_MOST)
		(void)path_add(p, file, PATH_LIBRARY);
}

static void
add_class_path(ClassPath *p, const char *jar, const char *list, PathRole role)
{
	char *s = arena_strdup(p->arena, list);

	while (*s) {
		size_t n = strcspn(s, " ");
		bool last = !s[n];
		s[n] = 0;
		if (n)
			add_linked(p, jar, s, role);
		s += n + !last;
	}
}

/* The versions that have classes of their own. */
static u64
find_versions(const Archive *z)
{
	static const char where[] = "META-INF/versions/";
	u64 found = 0;

	for (u32 k = 0; k < archive_count(z); k++) {
		const char *s = archive_name(z, k);
		u32 v = 0;
		if (strncmp(s, where, sizeof where - 1) != 0)
			continue;
		for (s += sizeof where - 1; *s >= '0' && *s <= '9' && v <= VERSION_MOST; s++)
			v = v * 10 + (u32)(*s - '0');
		if (*s == '/' && v >= VERSION_FIRST && v <= VERSION_MOST)
			found |= (u64)1 << v;
	}
	return found;
}

void
path_add_manifest(ClassPath *p, u32 element)
{
	Element *e = &p->elements.at[element];
	const char *why = NULL, *file = e->file;
	PathRole role = e->role;
	Manifest m;
	u8 *text;
	size_t n;
	u32 k;

	if (!archive_find(e->archive, "META-INF/MANIFEST.MF", &k))
		return;
	if (!archive_read(e->archive, k, p->arena, &text, &n, &why)) {
		path_report(p, file, role,
			    arena_printf(p->arena, "the manifest is skipped: %s", why));
		return;
	}
	manifest_parse(p->arena, (const char *)text, n, &m);
	e->versions = m.multi_release ? find_versions(e->archive) : 0;
	if (m.main_class && role == PATH_INPUT && !p->main)
		p->main = m.main_class;
	if (m.class_path && role != PATH_PLATFORM)
		add_class_path(p, file, m.class_path, role);
}
