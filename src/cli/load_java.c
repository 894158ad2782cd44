/* load_java.c - Java inputs: class files, jars, directories of class files, and
 * modules of the JDK. */
#include "cli/cli.h"

#include "base/file.h"

#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MOST = 32 };

#define MODULE_PREFIX "jrt:/"

/* Has dir, or one below it, a class file?  Links to directories are not
 * followed. */
static bool
holds_classes(Run *run, const char *dir, u32 depth)
{
	const char *error;
	char **names;
	u32 n;

	if (!depth || !file_list(&run->arena, dir, &names, &n, &error))
		return false;
	for (u32 i = 0; i < n; i++) {
		const char *path = file_join(&run->arena, dir, names[i]);
		struct stat st;
		if (!strcmp(file_ext(names[i]), "class"))
			return true;
		if (!lstat(path, &st) && S_ISDIR(st.st_mode) && holds_classes(run, path, depth - 1))
			return true;
	}
	return false;
}

bool
java_is_input(Run *run, const char *path)
{
	static const char *const exts[] = {"class", "jar", "jmod", "war", "zip"};

	if (!strncmp(path, MODULE_PREFIX, strlen(MODULE_PREFIX)))
		return true;
	if (file_is_dir(path))
		return holds_classes(run, path, DEPTH_MOST);
	for (u32 i = 0; i < COUNT(exts) && file_exists(path); i++)
		if (!strcasecmp(file_ext(path), exts[i]))
			return true;
	return false;
}

static void
add_root(Run *run, const char *root, NameList *roots)
{
	for (u32 i = 0; i < roots->n; i++)
		if (!strcmp(roots->at[i], root))
			return;
	vec_push(&run->arena, roots, root);
}

/* The directories, dir or below it, whose packages the class files in it are
 * of.  One file of each directory is looked at. */
static void
find_roots(Run *run, const char *dir, u32 depth, NameList *roots)
{
	const char *error, *root = NULL;
	char **names;
	u32 n;

	if (!depth || !file_list(&run->arena, dir, &names, &n, &error))
		return;
	for (u32 i = 0; i < n; i++) {
		const char *path = file_join(&run->arena, dir, names[i]);
		struct stat st;
		if (!root && !strcmp(file_ext(names[i]), "class"))
			root = path_root(&run->arena, path);
		else if (!lstat(path, &st) && S_ISDIR(st.st_mode) && strcmp(names[i], "META-INF"))
			find_roots(run, path, depth - 1, roots);
	}
	if (root)
		add_root(run, root, roots);
}

/* A directory is what its packages are in, or has such directories in it, as
 * those of build systems do. */
static bool
add_directory(Run *run, const char *path)
{
	NameList roots = {0};
	bool any = false;

	find_roots(run, path, DEPTH_MOST, &roots);
	for (u32 i = 0; i < roots.n; i++)
		if (!strcmp(roots.at[i], path))
			roots.n = 0;
	if (!roots.n)
		return path_add(run->java, path, PATH_INPUT);
	for (u32 i = 0; i < roots.n; i++)
		any |= path_add(run->java, roots.at[i], PATH_INPUT);
	return any;
}

void
java_add(Run *run, const char *path)
{
	bool ok = true;

	if (!run->java)
		run->java = path_new(&run->arena, &run->diag);
	if (!strncmp(path, MODULE_PREFIX, strlen(MODULE_PREFIX)))
		vec_push(&run->arena, &run->java_modules, path + strlen(MODULE_PREFIX));
	else if (file_is_dir(path))
		ok = add_directory(run, path);
	else
		ok = path_add(run->java, path, PATH_INPUT);
	run->java_inputs += ok;
}

/* The classes of the inputs alone. */
static void
load_alone(Run *run, Ir ***units, u32 *n)
{
	NameList names = {0};

	path_list(run->java, &names);
	for (u32 i = 0; i < run->java_modules.n; i++)
		if (!path_list_module(run->java, run->java_modules.at[i], &names))
			diag_error(&run->diag, run->java_modules.at[i],
				   "the JDK has no module of this name");
	*n = 0;
	if (names.n)
		load_classes(&run->arena, run->java, &names, &run->diag, run->jobs, units, n,
			     &run->java_stats);
}

static void
load_reached(Run *run, Ir ***units, u32 *n)
{
	LoadOptions opt = {.entries = run->opt->entry.at,
			   .nentry = run->opt->entry.n,
			   .open = run->opt->open.at,
			   .nopen = run->opt->open.n,
			   .reflection_log = run->opt->reflection_log,
			   .jobs = run->jobs};

	load_models(run);
	opt.models = run->models;
	if (!load_java(&run->arena, run->java, &opt, &run->diag, units, n, &run->java_stats))
		*n = 0;
	if (run->phases.depth)
		phase_count(&run->phases, run->java_stats.bodies,
			    arena_printf(&run->arena,
					 "methods of %u classes, %u modelled, %u skipped",
					 run->java_stats.classes, run->java_stats.modelled,
					 run->java_stats.skipped));
}

void
java_load(Run *run, Ir ***units, u32 *n)
{
	Ir **more = NULL, **all;
	u32 m = 0;

	for (u32 i = 0; i < run->opt->classpath.n; i++)
		path_add_list(run->java, run->opt->classpath.at[i], PATH_LIBRARY);
	(void)path_add_platform(run->java, run->opt->jdk);
	if (!run->opt->jdk && !path_version(run->java) && !run->java_alone)
		diag_error(&run->diag, NULL,
			   "no JDK was found: name one with --jdk DIR, or none with --jdk none");
	if (!run->java_inputs && run->inputs.n)
		; /* none could be read: nothing further can be said */
	else if (run->java_alone)
		load_alone(run, &more, &m);
	else
		load_reached(run, &more, &m);
	path_release(run->java);
	all = arena_array(&run->arena, Ir *, *n + m + 1);
	if (*n)
		memcpy(all, *units, *n * sizeof *all);
	if (m)
		memcpy(all + *n, more, m * sizeof *all);
	*units = all;
	*n += m;
}
