/* exec.c - a library that is loaded into the processes of a build, so that a
 * tool which they call by its path is seen, too.
 *
 * It stands in front of the C library's functions that run programs.  One that
 * is a compiler, linker or archiver by its name, and that has a path, is run by
 * way of Concord, which finds that path as its own name (cli/capture_wrap.c).
 * All else goes through as it came: a name without a path finds the links on
 * PATH, and what a tool that is being recorded runs is no business of ours.
 *
 * Callers may be between vfork and exec: nothing is allocated here. */
#include "preload/tool_name.h"

#include <dlfcn.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The function of that name that would be called without us. */
#define NEXT(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static bool
same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool
is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Writes to tool what is to be run in place of path; false if path is, also in
 * Concord itself, which runs the real tool. */
static bool
find_tool(const char *path, char tool[PATH_MAX])
{
	const char *dir = getenv(CAPTURE_DIR);
	int n;

	if (!path || !strchr(path, '/') || !dir || getenv(CAPTURE_INNER) || !tool_kind(path))
		return false;
	n = snprintf(tool, PATH_MAX, "%s" CAPTURE_TOOL, dir);
	return n > 0 && n < PATH_MAX && is_program(path) && is_program(tool) &&
	       !same_file(tool, path) && !same_file(tool, "/proc/self/exe");
}

static size_t
count(char *const *argv)
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	return n;
}

/* What to run instead of path, and in own, which has room for them, with which
 * arguments. */
static const char *
instead(const char *path, char *const *argv, char **own, char tool[PATH_MAX])
{
	size_t n = count(argv);

	for (size_t i = 0; i < n; i++)
		own[i] = argv[i];
	own[n] = NULL;
	if (!n || !find_tool(path, tool))
		return path;
	own[0] = (char *)path;
	return tool;
}

int
execve(const char *path, char *const argv[], char *const envp[])
{
	char tool[PATH_MAX], *own[count(argv) + 1];

	path = instead(path, argv, own, tool);
	return NEXT(execve)(path, own, envp);
}

int
execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

int
execvpe(const char *file, char *const argv[], char *const envp[])
{
	char tool[PATH_MAX], *own[count(argv) + 1];

	file = instead(file, argv, own, tool);
	return NEXT(execvpe)(file, own, envp);
}

int
execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

int
posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
	    const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	char tool[PATH_MAX], *own[count(argv) + 1];

	path = instead(path, argv, own, tool);
	return NEXT(posix_spawn)(pid, path, actions, attr, own, envp);
}

int
posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	     const posix_spawnattr_t *attr, char *const argv[], char *const envp[])
{
	char tool[PATH_MAX], *own[count(argv) + 1];

	file = instead(file, argv, own, tool);
	return NEXT(posix_spawnp)(pid, file, actions, attr, own, envp);
}
