/* capture_wrap.c - acting as a compiler, linker or archiver of a build.
 *
 * The real tool is run first, with the arguments as they came; its exit status
 * is ours, whatever recording makes of it.  Nothing is printed: what goes
 * wrong with the bitcode of a unit stands in its record.  Below a tool that
 * records, and outside of a capture, the real tool simply takes our place. */
#include "cli/capture.h"

#include "base/file.h"
#include "base/map.h"
#include "llvm/llvm.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Wrap {
	Arena arena;
	const char *dir; /* of the capture */
	const char *cwd;
	ToolKind tool;
	ToolCommand command;
} Wrap;

/* Is the directory that n bytes name that of the links?  This program may have
 * been replaced since they were made: then they lead to another file than it. */
static bool
has_links(const char *dir, size_t n)
{
	const char *own = getenv(CAPTURE_DIR);
	size_t k = own ? strlen(own) : 0;

	return k && n == k + 4 && !strncmp(dir, own, k) && !strncmp(dir + k, "/bin", 4);
}

/* A program, and another than we are, under whatever name. */
static bool
is_other_program(const char *file)
{
	struct stat self, st;

	return !stat(file, &st) && S_ISREG(st.st_mode) && !access(file, X_OK) &&
	       (stat("/proc/self/exe", &self) || st.st_dev != self.st_dev ||
		st.st_ino != self.st_ino);
}

/* Has a tool that led here been run from that file?  One that looks on PATH for
 * the compiler behind itself, as a cache of compilations does, finds us, and must
 * not be given itself. */
static bool
is_tried(const char *file)
{
	const char *list = getenv(CAPTURE_TRIED);
	size_t n = strlen(file);

	while (list) {
		const char *end = strchrnul(list, ':');
		if ((size_t)(end - list) == n && !memcmp(list, file, n))
			return true;
		list = *end ? end + 1 : NULL;
	}
	return false;
}

char *
tool_find(Arena *a, const char *name)
{
	const char *path = getenv("PATH");
	char *first = NULL;

	while (path) {
		const char *end = strchrnul(path, ':');
		char *file = arena_printf(a, "%.*s/%s", (int)(end - path), path, name);
		if (end > path && !has_links(path, (size_t)(end - path)) &&
		    is_other_program(file)) {
			if (!is_tried(file))
				return file;
			first = first ? first : file;
		}
		path = *end ? end + 1 : NULL;
	}
	return first;
}

/* The tool in whose place we run: the file of that path, if it is not one of
 * our links, else what PATH has of that name. */
static char *
real_tool(Arena *a, const char *called)
{
	const char *base = file_base(called);

	if (base > called && !has_links(called, (size_t)(base - called - 1)) &&
	    is_other_program(called))
		return arena_strdup(a, called);
	return tool_find(a, base);
}

bool
is_probe(const char *path)
{
	static const char *const places[] = {"/CMakeFiles/CMakeTmp/", "/CMakeFiles/CMakeScratch/",
					     "/CompilerIdC/", "/CompilerIdCXX/", "/meson-private/"};

	for (u32 i = 0; i < COUNT(places); i++)
		if (strstr(path, places[i]))
			return true;
	return !strncmp(file_base(path), "conftest", 8);
}

static char *
absolute(Wrap *w, const char *path)
{
	char *real = arena_alloc(&w->arena, PATH_MAX);

	if (realpath(path, real))
		return real;
	return file_shorten(&w->arena, file_join(&w->arena, w->cwd, path), "");
}

/* ---- compilations ------------------------------------------------------------ */

/* The command with no other input than in. */
static void
command_for(Wrap *w, const ToolInput *in, OptList *argv)
{
	const ToolCommand *c = &w->command;

	for (u32 i = 0; i < c->argv.n; i++) {
		bool other = false;
		for (u32 k = 0; k < c->inputs.n; k++)
			other |= c->inputs.at[k].at == i && i != in->at;
		if (!other)
			vec_push(&w->arena, argv, c->argv.at[i]);
	}
}

/* A record could not be kept.  An empty file still fits on a full disk. */
static void
lose(Wrap *w, const char *error)
{
	FILE *f = fopen(file_join(&w->arena, w->dir, CAPTURE_LOST), "w");

	if (f)
		fclose(f);
	fprintf(stderr, "concord: %s\n", error);
}

static u64
hash_file(Wrap *w, const char *path)
{
	const char *error;
	char *bytes;
	size_t n;

	return file_read(&w->arena, path, &bytes, &n, &error) ? hash_bytes(bytes, n) : 0;
}

static void
compile_unit(Wrap *w, const ToolInput *in, Unit *u)
{
	LlvmOptions options = {.clang = getenv(CAPTURE_CLANG)};
	LlvmInput input = {.path = in->path};
	const char *stem = unit_stem(&w->arena, w->dir, u), *error;
	Diag diag;

	diag_init(&diag, &w->arena, NULL);
	command_for(w, in, &u->argv);
	input.argv = u->argv.at;
	input.argc = u->argv.n;
	u->source = in->path;
	u->directory = w->cwd;
	u->bitcode = arena_printf(&w->arena, "%s.bc", stem);
	if (!llvm_compile(&input, &options, u->bitcode, &diag)) {
		u->bitcode = NULL;
		u->failed = diag.msgs.n ? diag.msgs.at[0].text : NULL;
	} else {
		u->content = hash_file(w, u->bitcode);
	}
	if (!unit_write(&w->arena, w->dir, u, &error))
		lose(w, error);
	diag_release(&diag);
}

/* Where the object of a source goes that has none named for it. */
static char *
default_object(Wrap *w, const char *source)
{
	const char *base = file_base(source), *ext = file_ext(source);
	int n = (int)(*ext ? ext - base - 1 : (long)strlen(base));

	return arena_printf(&w->arena, "%.*s.o", n, base);
}

static void
record_compile(Wrap *w)
{
	for (u32 i = 0; i < w->command.inputs.n; i++) {
		const ToolInput *in = &w->command.inputs.at[i];
		const char *object = w->command.output;
		Unit u = {0};
		if (!in->c || in->library)
			continue;
		u.object = absolute(w, object ? object : default_object(w, in->path));
		if (is_probe(u.object) || is_probe(in->path))
			continue;
		u.hash = hash_file(w, u.object);
		compile_unit(w, in, &u);
	}
}

/* ---- links -------------------------------------------------------------------- */

typedef struct Linking {
	Wrap *w;
	Link link;
	Map names; /* symbols of the output: 1 defined there, 2 and by a part so far */
	bool all;  /* the output does not tell what went into it */
	const char *archive;
	bool whole;
} Linking;

static u64
text_key(const char *s)
{
	return hash_bytes(s, strlen(s));
}

static void
note_output(void *ctx, const char *name, bool defined, bool local)
{
	Linking *l = ctx;

	(void)local;
	if (defined)
		map_put(&l->w->arena, &l->names, text_key(name), 1);
}

static void
note_defined(void *ctx, const char *name, bool defined, bool local)
{
	Linking *l = ctx;

	if (defined && !local && map_get(&l->names, text_key(name)))
		map_put(&l->w->arena, &l->names, text_key(name), 2);
}

typedef struct Needed {
	const Linking *l;
	bool yes;
} Needed;

static void
ask_needed(void *ctx, const char *name, bool defined, bool local)
{
	Needed *n = ctx;

	n->yes |= defined && !local && map_get(&n->l->names, text_key(name)) == 1;
}

/* A member of an archive is in the output if it defines a symbol there that
 * nothing before it does. */
static bool
is_needed(Linking *l, const void *p, size_t n)
{
	Needed needed = {l, false};

	return l->whole || l->all || !elf_symbols(p, n, ask_needed, &needed) || needed.yes;
}

static void
add_member(void *ctx, const char *name, const void *p, size_t n)
{
	Linking *l = ctx;

	if (!is_needed(l, p, n))
		return;
	(void)elf_symbols(p, n, note_defined, l);
	vec_push(&l->w->arena, &l->link.parts,
		 (Part){l->archive, arena_strdup(&l->w->arena, name), hash_bytes(p, n)});
}

static void
add_file(Linking *l, const char *path, bool whole)
{
	Wrap *w = l->w;
	const char *error, *full = absolute(w, path);
	BinaryKind kind;
	char *bytes;
	size_t n;

	if (!strcmp(full, l->link.output) || !file_read(&w->arena, full, &bytes, &n, &error))
		return;
	kind = binary_kind(bytes, n);
	if (kind == BINARY_ARCHIVE) {
		l->archive = full;
		l->whole = whole;
		ar_members(&w->arena, full, bytes, n, add_member, l);
		return;
	}
	if (kind == BINARY_OBJECT)
		(void)elf_symbols(bytes, n, note_defined, l);
	if (kind != BINARY_OTHER)
		vec_push(&w->arena, &l->link.parts, (Part){full, NULL, hash_bytes(bytes, n)});
}

/* Only directories named on the command line: the system's own libraries are
 * not built here. */
static void
add_library(Linking *l, const ToolInput *in)
{
	Wrap *w = l->w;
	const OptList *dirs = &w->command.dirs;

	for (u32 i = 0; i < dirs->n; i++) {
		static const char *const ends[] = {"so", "a"};
		if (in->path[0] == ':' &&
		    file_exists(file_join(&w->arena, dirs->at[i], in->path + 1))) {
			add_file(l, file_join(&w->arena, dirs->at[i], in->path + 1), in->whole);
			return;
		}
		for (u32 k = in->archives; k < COUNT(ends); k++) {
			char *file =
			    arena_printf(&w->arena, "%s/lib%s.%s", dirs->at[i], in->path, ends[k]);
			if (!file_exists(file))
				continue;
			add_file(l, file, in->whole);
			return;
		}
	}
}

/* A source that is compiled and linked at once has no object that stays. */
static void
add_source(Linking *l, const ToolInput *in)
{
	Wrap *w = l->w;
	Unit u = {0};

	u.object = arena_printf(&w->arena, "%s:%s", l->link.output, absolute(w, in->path));
	u.hash = text_key(u.object);
	if (in->c)
		compile_unit(w, in, &u);
	vec_push(&w->arena, &l->link.parts,
		 (Part){in->c ? u.object : absolute(w, in->path), NULL, u.hash});
}

/* A build system that tries something out may leave the name to the linker. */
static bool
links_probe(const ToolCommand *c)
{
	for (u32 i = 0; i < c->inputs.n; i++)
		if (!c->inputs.at[i].library && is_probe(c->inputs.at[i].path))
			return true;
	return false;
}

static void
record_link(Wrap *w)
{
	const ToolCommand *c = &w->command;
	Linking l = {.w = w, .link = {.kind = c->kind}};
	const char *error;
	char *bytes;
	size_t n;

	l.link.output = absolute(w, c->output ? c->output : "a.out");
	if (c->kind == LINK_OBJECT && !strcmp(file_ext(l.link.output), "ko"))
		l.link.kind = LINK_MODULE;
	if (is_probe(l.link.output) || links_probe(c) ||
	    !file_read(&w->arena, l.link.output, &bytes, &n, &error))
		return;
	l.link.hash = hash_bytes(bytes, n);
	l.all = !elf_symbols(bytes, n, note_output, &l);
	for (u32 i = 0; i < c->inputs.n; i++) {
		const ToolInput *in = &c->inputs.at[i];
		if (in->library)
			add_library(&l, in);
		else if (in->compiled)
			add_source(&l, in);
		else
			add_file(&l, in->path, in->whole);
	}
	if (!link_write(&w->arena, w->dir, &l.link, &error))
		lose(w, error);
}

/* The archive is the first file named that is one. */
static void
record_archive(Wrap *w)
{
	const OptList *v = &w->command.argv;
	const char *keys = v->n > 1 ? v->at[1] + (v->at[1][0] == '-') : "";
	Linking l = {.w = w, .link = {.kind = LINK_ARCHIVE}, .whole = true};
	const char *error;
	char *bytes;
	size_t n;

	for (u32 i = 2; strpbrk(keys, "rq") && i < v->n; i++) {
		if (!file_exists(v->at[i]) || !file_read(&w->arena, v->at[i], &bytes, &n, &error) ||
		    binary_kind(bytes, n) != BINARY_ARCHIVE)
			continue;
		l.archive = l.link.output = absolute(w, v->at[i]);
		l.link.hash = hash_bytes(bytes, n);
		if (is_probe(l.link.output))
			return;
		ar_members(&w->arena, l.link.output, bytes, n, add_member, &l);
		if (!link_write(&w->arena, w->dir, &l.link, &error))
			lose(w, error);
		return;
	}
}

/* ---- the tool ------------------------------------------------------------------- */

static noreturn void
become(Wrap *w, char *file, char **argv)
{
	const char *tried = getenv(CAPTURE_TRIED);

	argv[0] = file; /* compilers look for their parts beside themselves */
	(void)setenv(CAPTURE_TRIED, tried ? arena_printf(&w->arena, "%s:%s", tried, file) : file,
		     1);
	(void)execv(file, argv);
	fprintf(stderr, "%s: %s\n", file, strerror(errno));
	_exit(127);
}

/* Runs the tool; if a signal ends it, the same one ends us. */
static int
run_tool(Wrap *w, char *file, char **argv)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		(void)setenv(CAPTURE_INNER, "1", 1);
		become(w, file, argv);
	}
	if (pid < 0)
		become(w, file, argv);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFSIGNALED(status)) {
		(void)signal(WTERMSIG(status), SIG_DFL);
		(void)raise(WTERMSIG(status));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* A launcher's compiler is its first word that is no option; false if this
 * call is about something else. */
static bool
read_command(Wrap *w, int argc, char **argv)
{
	int first = 0;

	w->tool = tool_kind(argv[0]);
	if (w->tool == TOOL_LAUNCHER) {
		first = 1;
		w->tool = argc > 1 ? tool_kind(argv[1]) : TOOL_NONE;
	}
	if (w->tool == TOOL_NONE || w->tool == TOOL_LAUNCHER)
		return false;
	if (w->tool == TOOL_AR) {
		tool_expand(&w->arena, argc - first, argv + first, &w->command.argv);
		return true;
	}
	tool_parse(&w->arena, w->tool, argc - first, argv + first, &w->command);
	return w->command.mode != MODE_OTHER;
}

static void
record(Wrap *w)
{
	if (w->tool == TOOL_AR)
		record_archive(w);
	else if (w->command.mode == MODE_COMPILE)
		record_compile(w);
	else
		record_link(w);
}

int
tool_main(int argc, char **argv)
{
	Wrap w = {.dir = getenv(CAPTURE_DIR)};
	char *file, cwd[PATH_MAX];
	int status;

	arena_init(&w.arena, NULL);
	file = real_tool(&w.arena, argv[0]);
	if (!file) {
		fprintf(stderr, "%s: not found\n", argv[0]);
		return 127;
	}
	if (!w.dir || getenv(CAPTURE_INNER) || !getcwd(cwd, sizeof cwd) ||
	    !read_command(&w, argc, argv))
		become(&w, file, argv);
	w.cwd = cwd;
	status = run_tool(&w, file, argv);
	/* our clang must not be taken for a part of the build */
	(void)setenv(CAPTURE_INNER, "1", 1);
	if (status == 0)
		record(&w);
	arena_release(&w.arena);
	return status;
}
