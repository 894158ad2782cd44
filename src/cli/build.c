/* build.c - `concord build`: run a build, see what it links, check it.
 *
 * The build runs as it would without us, with capture.h's links first on PATH;
 * what it prints goes to standard error, since standard output is for the
 * report.  Each program is then checked in a process of its own, so that one
 * that cannot be checked does not take the others with it. */
#include "cli/cache.h"
#include "cli/capture.h"
#include "cli/commands.h"
#include "cli/several.h"

#include "base/file.h"
#include "base/map.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct BuildRun {
	Run *run;
	const char *dir; /* of the capture, absolute */
	const char *cwd;
	const char *clang;   /* its file */
	const char *preload; /* the library for the build's processes; null for none */
	int status;          /* of the build */
	bool lost;           /* not all that it did is in dir */
	Programs programs;
	Vec(const Program *) chosen;
} BuildRun;

/* ---- the directory ------------------------------------------------------------ */

static bool
make_dir(Run *run, const char *path)
{
	if (!mkdir(path, 0777) || errno == EEXIST)
		return true;
	diag_error(&run->diag, path, "cannot be made: %s", strerror(errno));
	return false;
}

/* Links every tool of the directory from into bin. */
static void
link_tools(Arena *a, const char *from, const char *bin, const char *exe)
{
	DIR *d = opendir(from);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (tool_kind(e->d_name) != TOOL_NONE)
			(void)symlink(exe, file_join(a, bin, e->d_name));
	if (d)
		closedir(d);
}

/* It is beside the program in a build tree.  The loader knows no way to write
 * a blank, a colon or a dollar in its name. */
static const char *
find_preload(Arena *a, const char *exe)
{
	static const char *const places[] = {"concord-exec.so",
					     "../libexec/concord/concord-exec.so"};

	for (u32 i = 0; i < COUNT(places); i++) {
		const char *file = file_join(a, file_dir(a, exe), places[i]);
		if (file_exists(file) && !strpbrk(file, " :$"))
			return file;
	}
	return NULL;
}

static bool
make_tools(BuildRun *b)
{
	Arena *a = &b->run->arena;
	const char *bin = file_join(a, b->dir, "bin"), *path = getenv("PATH");
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);

	exe[n > 0 ? n : 0] = 0;
	file_remove_tree(bin);
	if (!make_dir(b->run, bin))
		return false;
	(void)symlink(exe, arena_printf(a, "%s" CAPTURE_TOOL, b->dir));
	b->preload = b->run->opt->preload ? find_preload(a, exe) : NULL;
	for (; path && *path; path += strspn(path, ":")) {
		size_t len = strcspn(path, ":");
		link_tools(a, arena_dup(a, path, len), bin, exe);
		path += len;
	}
	return true;
}

static bool
make_capture(BuildRun *b)
{
	Arena *a = &b->run->arena;
	char *cwd = arena_alloc(a, PATH_MAX), *real = arena_alloc(a, PATH_MAX);

	if (!getcwd(cwd, PATH_MAX)) {
		diag_error(&b->run->diag, NULL, "the current directory: %s", strerror(errno));
		return false;
	}
	b->cwd = cwd;
	if (!make_dir(b->run, b->run->opt->capture) || !realpath(b->run->opt->capture, real))
		return false;
	b->dir = real;
	(void)unlink(file_join(a, b->dir, CAPTURE_LOST));
	return make_dir(b->run, file_join(a, b->dir, "units")) &&
	       make_dir(b->run, file_join(a, b->dir, "links")) && make_tools(b);
}

/* ---- the build ------------------------------------------------------------------ */

/* A variable that names a compiler by its path would pass us by, also where
 * nothing can be preloaded. */
static void
redirect(Arena *a, const char *name, const char *bin)
{
	const char *value = getenv(name);
	size_t n = value ? strcspn(value, " \t") : 0;
	char *tool;

	if (!n || value[0] != '/')
		return;
	tool = file_join(a, bin, file_base(arena_dup(a, value, n)));
	if (file_exists(tool))
		(void)setenv(name, arena_printf(a, "%s%s", tool, value + n), 1);
}

/* Puts word behind what the variable has. */
static void
append(Arena *a, const char *name, const char *word, char between)
{
	const char *old = getenv(name);

	if (old && *old)
		word = arena_printf(a, "%s%c%s", old, between, word);
	(void)setenv(name, word, 1);
}

/* AddressSanitizer wants to be loaded first: programs that the build runs may
 * be made with it. */
static void
preload(BuildRun *b)
{
	Arena *a = &b->run->arena;

	if (!b->preload)
		return;
	append(a, "LD_PRELOAD", b->preload, ' ');
	append(a, "ASAN_OPTIONS", "verify_asan_link_order=0", ':');
}

static noreturn void
exec_build(BuildRun *b)
{
	static const char *const names[] = {
	    "CC", "CXX", "LD", "AR", "HOSTCC", "CC_FOR_BUILD", "BUILD_CC", "CMAKE_C_COMPILER"};
	Arena *a = &b->run->arena;
	const char *bin = file_join(a, b->dir, "bin"), *path = getenv("PATH");
	char *const *argv = b->run->clang_flags;

	for (u32 i = 0; i < COUNT(names); i++)
		redirect(a, names[i], bin);
	(void)setenv("PATH", arena_printf(a, "%s:%s", bin, path ? path : ""), 1);
	(void)setenv(CAPTURE_DIR, b->dir, 1);
	(void)setenv(CAPTURE_CLANG, b->clang, 1);
	preload(b);
	(void)signal(SIGPIPE, SIG_DFL);
	if (dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		(void)execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* The program that the shell would run for name; null after a diagnostic. */
static const char *
find_program(Run *run, const char *name)
{
	const char *file = strchr(name, '/') ? name : tool_find(&run->arena, name);

	if (file && !access(file, X_OK))
		return file;
	diag_error(&run->diag, NULL, file ? "%s cannot be run" : "%s is not on PATH", name);
	return NULL;
}

static void
run_build(BuildRun *b)
{
	int status = 0;
	pid_t self = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		end_with(self);
		exec_build(b);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	b->status = pid < 0             ? 127
		    : WIFEXITED(status) ? WEXITSTATUS(status)
					: 128 + WTERMSIG(status);
	b->lost = file_exists(file_join(&b->run->arena, b->dir, CAPTURE_LOST));
	if (b->lost)
		diag_error(
		    &b->run->diag, b->run->opt->capture,
		    "not all of the build could be kept here; what was is checked all the same");
}

/* ---- which programs ---------------------------------------------------------------- */

typedef struct Forks {
	const Models *models;
	bool yes;
} Forks;

static void
ask_fork(void *ctx, const char *name, bool defined, bool local)
{
	Forks *f = ctx;

	(void)defined;
	f->yes = f->yes || (!local && models_may_fork(f->models, name));
}

static bool
may_fork(BuildRun *b, const Program *p, const Models *m)
{
	Forks f = {m, false};
	const char *error;
	char *bytes;
	size_t n;

	for (u32 i = 0; i < p->outputs.n && !f.yes; i++)
		if (file_read(&b->run->arena, p->outputs.at[i], &bytes, &n, &error))
			(void)elf_symbols(bytes, n, ask_fork, &f);
	return f.yes;
}

static bool
is_called(const Program *p, const char *name, const char *cwd, Arena *a)
{
	return !strcmp(p->name, name) || !strcmp(file_base(p->output), name) ||
	       !strcmp(p->output, file_shorten(a, file_join(a, cwd, name), ""));
}

static bool
is_chosen(const BuildRun *b, const Program *p)
{
	for (u32 i = 0; i < b->chosen.n; i++)
		if (b->chosen.at[i] == p)
			return true;
	return false;
}

static bool
choose_targets(BuildRun *b)
{
	const OptList *wanted = &b->run->opt->target;
	Arena *a = &b->run->arena;
	bool ok = true;

	for (u32 k = 0; k < wanted->n; k++) {
		bool found = false;
		for (u32 i = 0; i < b->programs.n; i++) {
			const Program *p = &b->programs.at[i];
			if (!is_called(p, wanted->at[k], b->cwd, a))
				continue;
			found = true;
			if (!is_chosen(b, p))
				vec_push(a, &b->chosen, p);
		}
		if (found)
			continue;
		diag_error(&b->run->diag, NULL, "--target: nothing of the name '%s' was linked",
			   wanted->at[k]);
		ok = false;
	}
	return ok;
}

/* Has it a beginning of its own? */
static bool
is_program(const Program *p)
{
	return p->kind == LINK_EXECUTABLE || p->kind == LINK_MODULE;
}

/* The only executable; else those that can start a thread, or all.  Those
 * whose file is gone were tried out, moved, or failed: only if no other is. */
static void
choose_executables(BuildRun *b)
{
	Arena *a = &b->run->arena;
	u32 there[2] = {0, 0}, gone;

	for (u32 i = 0; i < b->programs.n; i++)
		if (is_program(&b->programs.at[i]))
			there[b->programs.at[i].gone]++;
	gone = there[0] == 0;
	if (there[gone] > 1 && !b->run->opt->all && !load_models(b->run))
		return;
	for (u32 i = 0; i < b->programs.n; i++) {
		const Program *p = &b->programs.at[i];
		if (is_program(p) && p->gone == gone &&
		    (there[gone] == 1 || b->run->opt->all || may_fork(b, p, b->run->models)))
			vec_push(a, &b->chosen, p);
	}
}

static void
list_programs(const BuildRun *b)
{
	if (b->run->opt->quiet)
		return;
	for (u32 i = 0; i < b->programs.n; i++) {
		const Program *p = &b->programs.at[i];
		if (p->gone && !is_chosen(b, p))
			continue;
		fprintf(stderr, "concord: %s %s: %u unit%s%s%s\n", link_kind_name(p->kind), p->name,
			p->units.n, p->units.n == 1 ? "" : "s", p->gone ? ", no longer there" : "",
			is_chosen(b, p) && !b->run->opt->capture_only ? ", to be checked" : "");
	}
}

/* ---- checking ------------------------------------------------------------------------ */

typedef struct Checked {
	BuildRun *b;
	const Program *p;
} Checked;

/* Checks a program in this process; its part of a common report goes to `part`, or all of it to
 * where the options say. */
static int
check_here(void *ctx, FILE *part)
{
	const BuildRun *b = ((Checked *)ctx)->b;
	const Program *p = ((Checked *)ctx)->p;
	Run run = {.opt = b->run->opt, .jobs = b->run->jobs, .rules = b->run->rules};
	struct Progress *progress;
	int status;

	run.budget.limit = b->run->budget.limit;
	arena_init(&run.arena, &run.budget);
	diag_init(&run.diag, &run.arena, stderr);
	run.diag.color = b->run->diag.color;
	phases_init(&run.phases, &run.arena, NULL, NULL);
	vec_push(&run.arena, &run.inputs,
		 file_shorten(&run.arena, arena_printf(&run.arena, "%s/%s.link", b->dir, p->name),
			      b->cwd));
	progress = progress_start(&run);
	status = part ? check_part(&run, p->name, part) : cmd_check(&run);
	progress_stop(progress);
	cache_close(&run);
	diag_release(&run.diag);
	arena_release(&run.arena);
	return status;
}

/* Was any of its code compiled here?  Else says why it cannot be checked. */
static bool
has_code(BuildRun *b, const Program *p)
{
	if (p->units.n)
		return true;
	diag_error(&b->run->diag, NULL, "%s: none of its code was compiled here from C%s", p->name,
		   b->preload ? ""
			      : "; a compiler that the build calls by a path is not seen "
				"(make CC=gcc)");
	return false;
}

/* All into one document; the old file stays where that cannot be written. */
static int
report_all(BuildRun *b)
{
	const char *error;
	Several s;
	FileOut out;

	if (!file_out_open(&out, &b->run->arena, b->run->opt->output, &error)) {
		diag_error(&b->run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	several_begin(&s, b->run, b->run->opt->format, out.to);
	for (u32 i = 0; i < b->chosen.n; i++)
		if (has_code(b, b->chosen.at[i]))
			several_add(&s, b->chosen.at[i]->name, check_here,
				    &(Checked){b, b->chosen.at[i]});
		else
			s.status = MAX(s.status, EXIT_INPUT);
	several_end(&s);
	if (file_out_commit(&out, &b->run->arena, &error))
		return s.status;
	diag_error(&b->run->diag, NULL, "%s", error);
	return MAX(s.status, EXIT_INPUT);
}

static int
report_one(BuildRun *b, const Program *p)
{
	return has_code(b, p) ? several_apart(b->run, p->name, check_here, &(Checked){b, p}, NULL)
			      : EXIT_INPUT;
}

/* Did a compiler that is called by its path pass us by?  Its linker is found on
 * PATH all the same, so that there may be programs, without code. */
static bool
explain_path(BuildRun *b)
{
	CaptureHint hint;

	if (b->preload || !capture_hint(&b->run->arena, b->dir, b->cwd, b->run->clang_flags, &hint))
		return false;
	diag_error(&b->run->diag, hint.dir,
		   "nothing was captured: CMake configured this directory earlier, with %s, and "
		   "calls that by its path; configure another one under Concord: concord build "
		   "-- sh -c 'cmake -B concord-out && cmake --build concord-out'",
		   hint.compiler);
	return true;
}

/* Says why nothing is checked. */
static int
explain_nothing(BuildRun *b)
{
	Diag *d = &b->run->diag;

	if (!b->programs.n && (b->lost || b->status))
		return EXIT_INPUT;
	if (!b->programs.n)
		diag_error(
		    d, NULL, "nothing was captured: the build compiled and linked nothing%s",
		    b->preload
			? "; clean one that is up to date (make clean)"
			: ", or called its compiler by a path; clean one that is up to date (make "
			  "clean), and pass the compiler by its name to one that has a path (make "
			  "CC=gcc)");
	else if (b->run->opt->target.n)
		return EXIT_INPUT;
	else
		diag_error(
		    d, NULL,
		    "no executable that can start a thread was linked; choose with --target "
		    "NAME, or check all of them with --all (a library needs --open or --entry)");
	return EXIT_INPUT;
}

static int
check_all(BuildRun *b)
{
	int status = b->status || b->lost ? EXIT_INPUT : EXIT_CLEAN, one;

	one = b->chosen.n > 1 ? report_all(b) : report_one(b, b->chosen.at[0]);
	return MAX(status, one);
}

static void
say_failure(BuildRun *b)
{
	if (b->status)
		diag_error(&b->run->diag, NULL, "the build failed with status %d; %s", b->status,
			   b->programs.n ? "what was captured is checked all the same"
					 : "nothing of it was compiled or linked before that");
}

int
cmd_build(Run *run)
{
	BuildRun b = {.run = run};
	Units units = {0};
	Links links = {0};
	const char *error;
	int status;
	bool ok;

	b.clang = find_program(run, run->opt->clang);
	if (!b.clang || !find_program(run, run->clang_flags[0]) || !make_capture(&b))
		return EXIT_INPUT;
	run_build(&b);
	capture_read(&run->arena, b.dir, &units, &links, &run->diag);
	capture_programs(&run->arena, &units, &links, b.cwd, &b.programs);
	say_failure(&b);
	if (!units.n && !b.status && !b.lost && explain_path(&b))
		return EXIT_INPUT;
	if (!programs_write(&run->arena, b.dir, &b.programs, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	ok = run->opt->target.n ? choose_targets(&b) : (choose_executables(&b), true);
	list_programs(&b);
	if (run->opt->capture_only)
		return b.status || b.lost || !ok ? EXIT_INPUT : EXIT_CLEAN;
	if (!b.chosen.n)
		return explain_nothing(&b);
	status = check_all(&b);
	return ok ? status : MAX(status, EXIT_INPUT);
}
