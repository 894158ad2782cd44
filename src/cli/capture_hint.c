/* capture_hint.c - why a build passed the capture by.
 *
 * A build system that wrote down the path of its compiler when it was
 * configured calls that, and not our links on PATH.  CMake does: its cache is
 * looked for in the directories that the command names, in the current one and
 * in those directly below it. */
#include "cli/capture.h"

#include "base/file.h"

#include <dirent.h>
#include <string.h>

/* The compiler that the CMake cache of dir names by its path, null for none. */
static const char *
cmake_compiler(Arena *a, const char *dir)
{
	static const char *const keys[] = {"\nCMAKE_C_COMPILER:", "\nCMAKE_CXX_COMPILER:"};
	const char *error, *at, *path;
	char *text;
	size_t n;

	if (!file_read(a, file_join(a, dir, "CMakeCache.txt"), &text, &n, &error))
		return NULL;
	for (u32 i = 0; i < COUNT(keys); i++) {
		at = strstr(text, keys[i]);
		path = at ? strchr(at, '=') : NULL;
		if (path && path[1] == '/')
			return arena_dup(a, path + 1, strcspn(path + 1, "\r\n"));
	}
	return NULL;
}

static bool
try_dir(Arena *a, const char *own, const char *dir, CaptureHint *out)
{
	const char *compiler = file_is_dir(dir) ? cmake_compiler(a, dir) : NULL;

	if (!compiler || !strncmp(compiler, own, strlen(own)))
		return false;
	out->dir = dir;
	out->compiler = compiler;
	return true;
}

static bool
try_below(Arena *a, const char *own, const char *cwd, CaptureHint *out)
{
	DIR *d = opendir(cwd);
	struct dirent *e;
	bool found = false;

	while (d && !found && (e = readdir(d)))
		found = e->d_name[0] != '.' && try_dir(a, own, arena_strdup(a, e->d_name), out);
	if (d)
		closedir(d);
	return found;
}

bool
capture_hint(Arena *a, const char *own, const char *cwd, char *const *argv, CaptureHint *out)
{
	for (; *argv; argv++)
		if (try_dir(a, own, strncmp(*argv, "-B", 2) ? *argv : *argv + 2, out))
			return true;
	return try_dir(a, own, ".", out) || try_below(a, own, cwd, out);
}
