/* path_jdk.c - finding the platform's classes: in the image lib/modules, in
 * jmods/ of a JDK that has no image, or in the archive of an old one. */
#include "jvm/path_int.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAJOR_AT = 6, MAJOR_TO_VERSION = 44 };

static bool
add_image(ClassPath *p, const char *file)
{
	Element e = {.kind = ELEMENT_IMAGE, .role = PATH_PLATFORM, .file = file};
	const char *why = NULL;

	if (!file_map(p->arena, file, &e.map, &e.n, &why)) {
		path_report(p, file, PATH_PLATFORM, why);
		return false;
	}
	if (!jimage_open(&e.image, e.map, e.n, &why)) {
		path_report(p, file, PATH_PLATFORM, why);
		file_unmap(e.map, e.n);
		return false;
	}
	vec_push(p->arena, &p->elements, e);
	return true;
}

static bool
add_jmods(ClassPath *p, const char *dir)
{
	const char *error;
	char **names;
	u32 n;
	bool found = false;

	if (!file_is_dir(dir) || !file_list(p->arena, dir, &names, &n, &error))
		return false;
	for (u32 i = 0; i < n; i++)
		if (!strcmp(file_ext(names[i]), "jmod"))
			found |= path_add(p, file_join(p->arena, dir, names[i]), PATH_PLATFORM);
	return found;
}

/* Adds the platform's classes below home; false if there are none. */
static bool
add_home(ClassPath *p, const char *home)
{
	static const char *const old[] = {"jre/lib/rt.jar", "lib/rt.jar"};
	const char *image = file_join(p->arena, home, "lib/modules");

	if (file_exists(image) && add_image(p, image))
		return true;
	if (add_jmods(p, file_join(p->arena, home, "jmods")))
		return true;
	for (u32 i = 0; i < COUNT(old); i++) {
		const char *file = file_join(p->arena, home, old[i]);
		if (file_exists(file))
			return path_add(p, file, PATH_PLATFORM);
	}
	return false;
}

/* The directory of the JDK whose program is first on PATH, null if none. */
static const char *
home_on_path(Arena *a)
{
	const char *path = getenv("PATH");
	char real[PATH_MAX];

	while (path && *path) {
		size_t n = strcspn(path, ":");
		char *file = file_join(a, n ? arena_dup(a, path, n) : ".", "java");
		if (!access(file, X_OK) && !file_is_dir(file) && realpath(file, real))
			return file_dir(a, file_dir(a, real));
		path += n + (path[n] == ':');
	}
	return NULL;
}

/* The version that the platform's own classes are of. */
static void
set_version(ClassPath *p)
{
	ClassBytes c;
	u32 major = 0;

	if (path_find(p, "java/lang/Object", &c) && c.n > MAJOR_AT + 1)
		major = (u32)c.at[MAJOR_AT] << 8 | c.at[MAJOR_AT + 1];
	p->version = major > MAJOR_TO_VERSION ? major - MAJOR_TO_VERSION : 0;
}

bool
path_add_platform(ClassPath *p, const char *jdk)
{
	const char *home = jdk;

	if (jdk && !strcmp(jdk, "none"))
		return true;
	if (!home) {
		home = getenv("JAVA_HOME");
		if (home && *home && !file_is_dir(home)) {
			diag_warning(p->diag, NULL, "JAVA_HOME is no directory: %s", home);
			home = NULL;
		}
		if (!home || !*home)
			home = home_on_path(p->arena);
	}
	if (home && add_home(p, home)) {
		set_version(p);
		return true;
	}
	if (jdk)
		diag_error(p->diag, jdk,
			   "no JDK: neither lib/modules nor jmods is in this directory");
	return !jdk;
}
