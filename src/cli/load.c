/* load.c - inputs to one program.
 *
 * Each input becomes one or more units: a source or bitcode file one, a
 * compilation database or a directory as many as it names.  Units are read in
 * child processes, as many at a time as there are jobs, and kept in the order
 * of the inputs, so that the result does not depend on the number of jobs. */
#include "cli/cache.h"
#include "cli/capture.h"
#include "cli/cli.h"

#include "base/file.h"
#include "base/json.h"
#include "conc/harness.h"
#include "ir/fence.h"
#include "ir/prune.h"
#include "ir/raise.h"
#include "jvm/jvm.h"
#include "llvm/llvm.h"
#include "model/model.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

/* What a child may take beyond the memory limit: LLVM itself is large. */
enum { CHILD_RESERVE = 64 << 20 };
/* Units for each job that are read, or wait to be, before they are taken in order. */
enum { AHEAD = 4 };

typedef Vec(LlvmInput) LlvmInputs;

typedef struct Loader {
	Run *run;
	LlvmOptions llvm;
	LlvmInputs inputs;
	Vec(const char *) assumptions; /* of a captured program */
	Vec(const char *) libraries;   /* the shared ones of captured programs */
	Map named;                     /* hash of an input's own path -> how often it is named */
	Map images;                    /* position of an input -> that in libraries, plus 1 */
	u32 found;                     /* units in the cache */
} Loader;

static bool
has_ext(const char *path, const char *exts)
{
	const char *ext = file_ext(path);
	size_t n = strlen(ext);

	for (const char *e = exts; n && e && *e; e = strchr(e, ' ') ? strchr(e, ' ') + 1 : NULL)
		if (!strncmp(e, ext, n) && (e[n] == ' ' || !e[n]))
			return true;
	return false;
}

/* How often the file was named before; counts this one. */
static u32
count_named(Loader *l, const char *path)
{
	Arena *a = &l->run->arena;
	char cwd[PATH_MAX];
	const char *full = file_join(a, getcwd(cwd, sizeof cwd) ? cwd : "", path);
	const char *own = file_shorten(a, full, "");

	return (*map_at(a, &l->named, hash_bytes(own, strlen(own))))++;
}

static void
add_file(Loader *l, const char *path)
{
	if (!count_named(l, path))
		vec_push(&l->run->arena, &l->inputs, (LlvmInput){.path = path});
}

/* ---- compilation databases ------------------------------------------------ */

/* At least as many bytes as the word at s will have. */
static size_t
word_length(const char *s, const char *blanks)
{
	size_t n = 0;
	char quote = 0;

	for (; s[n] && (quote || !strchr(blanks, s[n])); n++) {
		if (s[n] == '\\' && quote != '\'' && s[n + 1])
			n++;
		else if (quote ? s[n] == quote : (s[n] == '"' || s[n] == '\''))
			quote = quote ? 0 : s[n];
	}
	return n;
}

void
split_words(Arena *a, const char *s, OptList *out)
{
	static const char blanks[] = " \t\n\r\f\v";

	while (*s) {
		char *word;
		u32 n = 0;
		char quote = 0;
		s += strspn(s, blanks);
		if (!*s)
			return;
		word = arena_alloc(a, word_length(s, blanks) + 1);
		for (; *s && (quote || !strchr(blanks, *s)); s++) {
			if (quote ? *s == quote : (*s == '"' || *s == '\''))
				quote = quote ? 0 : *s;
			else if (*s == '\\' && quote != '\'' && s[1])
				word[n++] = *++s;
			else
				word[n++] = *s;
		}
		word[n] = 0;
		vec_push(a, out, word);
	}
}

/* Is the source at path, which a database names as file, to be read?  One that
 * goes into several programs or libraries is compiled for each of them. */
static bool
is_wanted(Loader *l, const char *path, const char *file)
{
	Arena *a = &l->run->arena;
	const char *why = NULL;
	u32 before = count_named(l, path);

	if (before)
		why = "is compiled more than once; only the first command is followed";
	else if (has_ext(file, "s S sx asm"))
		why = "is assembly and not analysed";
	if (why && before < 2)
		vec_push(a, &l->assumptions, arena_printf(a, "%s %s", file, why));
	return !why;
}

/* One entry of the database; null, or what is wrong with it. */
static const char *
add_entry(Loader *l, const JsonVal *e, const char *dir)
{
	Arena *a = &l->run->arena;
	const char *file = json_get_str(e, "file"), *where = json_get_str(e, "directory");
	const char *command = json_get_str(e, "command");
	const JsonVal *args = json_get(e, "arguments");
	OptList argv = {0};
	LlvmInput in = {0};

	if (!file)
		return "an entry has no \"file\"";
	if (command)
		split_words(a, command, &argv);
	for (u32 i = 0; !command && args && args->kind == JSON_ARR && i < args->n; i++)
		if (args->items[i].kind == JSON_STR)
			vec_push(a, &argv, args->items[i].str);
	if (!argv.n)
		return "an entry has neither \"command\" nor \"arguments\"";
	in.path = file;
	in.directory = where ? file_join(a, dir, where) : dir;
	in.argv = (const char *const *)argv.at;
	in.argc = argv.n;
	if (!file_exists(file_join(a, in.directory, file)))
		return arena_printf(a, "%s: no such file", file);
	if (is_wanted(l, file_join(a, in.directory, file), file))
		vec_push(a, &l->inputs, in);
	return NULL;
}

static void
add_database(Loader *l, const char *path)
{
	Arena *a = &l->run->arena;
	const char *error = NULL;
	char *text;
	size_t n;
	const JsonVal *root = NULL;

	if (file_read(a, path, &text, &n, &error))
		root = json_parse(a, text, n, &error);
	if (!root) {
		diag_error(&l->run->diag, path, "%s", error);
		return;
	}
	if (root->kind != JSON_ARR) {
		diag_error(&l->run->diag, path,
			   "not a compilation database: expected an array of commands");
		return;
	}
	if (!root->n)
		diag_error(&l->run->diag, path, "the compilation database has no commands");
	for (u32 i = 0; i < root->n; i++) {
		const JsonVal *e = &root->items[i];
		error = e->kind == JSON_OBJ ? add_entry(l, e, file_dir(a, path))
					    : "an entry is no object";
		if (error)
			diag_at(&l->run->diag, DIAG_ERROR, path, e->line, 0, "%s", error);
	}
}

/* ---- captured programs ------------------------------------------------------ */

/* The input that comes next is in that shared library. */
static void
enter_library(Loader *l, const char *name)
{
	u32 i = 0;

	while (i < l->libraries.n && strcmp(l->libraries.at[i], name) != 0)
		i++;
	if (i == l->libraries.n)
		vec_push(&l->run->arena, &l->libraries, name);
	map_put(&l->run->arena, &l->images, l->inputs.n, i + 1);
}

/* One unit of a captured program; null, or what is wrong with it. */
static const char *
add_captured(Loader *l, const JsonVal *e, const char *dir)
{
	Arena *a = &l->run->arena;
	const char *bitcode = json_get_str(e, "bitcode"), *library = json_get_str(e, "library");
	LlvmInput in = {.path = json_get_str(e, "source"),
			.directory = json_get_str(e, "directory"),
			.content = record_hash(e, "content")};

	if (!in.path || !in.directory || !bitcode)
		return "a unit lacks \"source\", \"directory\" or \"bitcode\"";
	in.bitcode = file_join(a, dir, bitcode);
	if (library)
		enter_library(l, library);
	vec_push(a, &l->inputs, in);
	return NULL;
}

static void
add_program(Loader *l, const char *path)
{
	Arena *a = &l->run->arena;
	const char *error = NULL;
	const JsonVal *root = NULL, *units, *assumptions;
	char *text;
	size_t n;

	l->run->linked = true;
	if (file_read(a, path, &text, &n, &error))
		root = json_parse(a, text, n, &error);
	units = json_get(root, "units");
	assumptions = json_get(root, "assumptions");
	if (!error && (!units || units->kind != JSON_ARR))
		error = "not a captured program: it has no \"units\"";
	for (u32 i = 0; !error && i < units->n; i++)
		error = add_captured(l, &units->items[i], file_dir(a, path));
	if (error)
		diag_error(&l->run->diag, path, "%s", error);
	for (u32 i = 0; assumptions && assumptions->kind == JSON_ARR && i < assumptions->n; i++)
		if (assumptions->items[i].kind == JSON_STR)
			vec_push(a, &l->assumptions, assumptions->items[i].str);
}

/* ---- kinds of input -------------------------------------------------------- */

/* Says whether the file is a captured program, rather than a library. */
static bool
is_executable(Loader *l, const char *path)
{
	Arena *a = &l->run->arena;
	const char *error, *kind = NULL;
	char *text;
	size_t n;

	if (file_read(a, path, &text, &n, &error))
		kind = json_get_str(json_parse(a, text, n, &error), "kind");
	return kind && !strcmp(kind, "executable");
}

/* A directory of a capture holds one file per program; false if it is none.
 * The only executable is meant, or the only library. */
static bool
add_capture(Loader *l, const char *path, char **names, u32 n)
{
	Arena *a = &l->run->arena;
	const char *list = "", *only = NULL;
	u32 found = 0, executables = 0;

	for (u32 i = 0; i < n; i++) {
		const char *file = file_join(a, path, names[i]);
		bool executable;
		if (!has_ext(file, "link"))
			continue;
		executable = is_executable(l, file);
		executables += executable;
		only = executable || !executables ? file : only;
		list = arena_printf(a, "%s%s%s", list, found++ ? ", " : "", names[i]);
	}
	if (found == 1 || executables == 1)
		add_program(l, only);
	else if (found)
		diag_error(&l->run->diag, path,
			   "several programs were captured here; name one of %s", list);
	return found;
}

static void
add_directory(Loader *l, const char *path)
{
	Arena *a = &l->run->arena;
	const char *database = file_join(a, path, "compile_commands.json"), *error = NULL;
	const char *classes = NULL;
	u32 before = l->inputs.n, n = 0;
	char **names = NULL;

	if (file_exists(database)) {
		add_database(l, database);
		return;
	}
	if (!file_list(a, path, &names, &n, &error)) {
		diag_error(&l->run->diag, path, "%s", error);
		return;
	}
	if (add_capture(l, path, names, n))
		return;
	for (u32 i = 0; i < n; i++)
		if (has_ext(names[i], "c i bc ll ir"))
			add_file(l, file_join(a, path, names[i]));
		else if (!classes && has_ext(names[i], "class jar"))
			classes = names[i];
	if (l->inputs.n > before && classes)
		diag_warning(&l->run->diag, path,
			     "%s and other files of Java here are left out: name them", classes);
	if (l->inputs.n > before)
		return;
	if (java_is_input(l->run, path))
		java_add(l->run, path);
	else
		diag_error(&l->run->diag, path,
			   "no compile_commands.json and no .c, .i, .bc, .ll, .ir, .class or .jar "
			   "file in this directory");
}

/* What can be told of a file that is no input. */
static const char *
unknown_kind(const char *path)
{
	char magic[4] = "";
	FILE *f = fopen(path, "rb");

	if (f) {
		if (fread(magic, 1, sizeof magic, f) < sizeof magic)
			magic[0] = 0;
		(void)fclose(f);
	}
	if (!memcmp(magic,
		    "\x7f"
		    "ELF",
		    4) ||
	    !memcmp(magic, "!<ar", 4))
		return "machine code is not analysed: name the sources, or build it with "
		       "`concord build`";
	if (has_ext(path, "cc cpp cxx C c++ hh hpp"))
		return "C++ is not analysed";
	if (has_ext(path, "java"))
		return "Java is read as class files: compile it with javac -g, and name what that "
		       "wrote";
	return "unknown kind of input: expected .c, .i, .bc, .ll, .ir, .class, .jar, a "
	       "compile_commands.json or a directory";
}

static void
add_input(Loader *l, const char *path)
{
	if (file_is_dir(path))
		add_directory(l, path);
	else if (java_is_input(l->run, path))
		java_add(l->run, path);
	else if (!strcmp(path, "-"))
		diag_error(&l->run->diag, NULL,
			   "standard input has no name that says what it holds: write it to a file "
			   "(gcc -E x.c > x.i)");
	else if (!file_exists(path))
		diag_error(&l->run->diag, *path ? path : "''", "%s",
			   errno == ENOENT || !*path ? "no such file" : strerror(errno));
	else if (has_ext(path, "json"))
		add_database(l, path);
	else if (has_ext(path, "link"))
		add_program(l, path);
	else if (has_ext(path, "c i bc ll ir"))
		add_file(l, path);
	else
		diag_error(&l->run->diag, path, "%s", unknown_kind(path));
}

/* ---- reading ---------------------------------------------------------------- */

static bool
read_text(Run *run, const char *path, Ir *unit)
{
	const char *error = NULL, *wrong;
	char *text;
	size_t n;

	if (!file_read(&run->arena, path, &text, &n, &error)) {
		diag_error(&run->diag, path, "%s", error);
		return false;
	}
	if (!ir_parse(unit, path, text, n, &run->diag))
		return false;
	wrong = ir_check(unit);
	if (wrong)
		diag_error(&run->diag, path, "%s", wrong);
	return !wrong;
}

typedef struct Slot {
	LlvmJob job;
	bool started, text;
} Slot;

static void
start_load(Loader *l, const LlvmInput *in, Slot *s)
{
	s->text = !in->argv && has_ext(in->path, "ir");
	s->started = !s->text && llvm_start(&s->job, in, &l->llvm, &l->run->diag);
	l->found += s->started && llvm_found(&s->job);
}

static Ir *
finish_load(Loader *l, const LlvmInput *in, Slot *s)
{
	Ir *unit = arena_new(&l->run->units, Ir);
	bool ok = false;

	ir_init(unit, &l->run->units);
	if (s->text)
		ok = read_text(l->run, in->path, unit);
	else if (s->started)
		ok = llvm_collect(&s->job, unit, &l->run->diag);
	if (ok && !s->text && unit->srcs.n <= 1 && unit->ins.n > 1)
		diag_warning(&l->run->diag, in->path,
			     "has no debug information: races have no lines; compile with -g");
	return ok ? unit : NULL;
}

/* Waits for a load that is no longer wanted. */
static void
discard_load(Slot *s)
{
	Arena a;
	Diag diag;
	Ir unit;

	if (!s->started)
		return;
	arena_init(&a, NULL);
	diag_init(&diag, &a, NULL);
	ir_init(&unit, &a);
	(void)llvm_collect(&s->job, &unit, &diag);
	diag_release(&diag);
	arena_release(&a);
}

/* Linking and models each need about as much memory again as the units. */
static bool
program_fits(const Run *run)
{
	return arena_has_room(&run->arena, 2 * atomic_load(&run->budget.used));
}

/* Stops at the first of the n inputs, from k on, for whose program there is no
 * room.  It depends on those before, so that it is the same for any -j. */
static void
give_up(Loader *l, Slot *slots, u32 k, u32 n)
{
	for (u32 i = k; i < n; i++)
		discard_load(&slots[i]);
	diag_error(&l->run->diag, NULL,
		   "the memory limit leaves no room for the program: %u of %u inputs read", k, n);
	arena_exceed(&l->run->arena);
}

/* Reads the inputs, as many at a time as there are jobs; while a large one is read,
 * others behind it are. */
static void
read_all(Loader *l, Ir ***units, u32 *n)
{
	Run *run = l->run;
	Slot *slots;
	u32 ahead = 0, window = run->jobs > 1 ? AHEAD * run->jobs : 1;

	slots = arena_array(&run->arena, Slot, l->inputs.n + 1);
	*units = arena_array(&run->arena, Ir *, l->inputs.n + 1);
	*n = 0;
	for (u32 i = 0; i < l->inputs.n; i++) {
		Ir *unit;
		for (; ahead < l->inputs.n && ahead < i + window; ahead++)
			start_load(l, &l->inputs.at[ahead], &slots[ahead]);
		unit = finish_load(l, &l->inputs.at[i], &slots[i]);
		if (unit) {
			unit->image = map_get(&l->images, i);
			(*units)[(*n)++] = unit;
		}
		phase_progress(&run->phases, i + 1, l->inputs.n);
		if (!program_fits(run)) {
			give_up(l, slots, i + 1, l->inputs.n);
			*n = 0;
			return;
		}
	}
}

/* One process after the other starts with all memory that we have; few that read
 * many units do so while that is little. */
static void
read_units(Loader *l, Ir ***units, u32 *n)
{
	l->llvm.alone = l->inputs.n == 1 || l->run->jobs == 1;
	l->llvm.readers = llvm_readers_new(&l->run->arena, l->inputs.at, &l->llvm, l->run->jobs);
	read_all(l, units, n);
	llvm_readers_end(l->llvm.readers);
}

static void
set_options(Loader *l)
{
	l->llvm.clang = l->run->opt->clang;
	l->llvm.flags = (const char *const *)l->run->clang_flags;
	l->llvm.nflags = l->run->nclang_flags;
	if (l->run->opt->memory_limit)
		l->llvm.child_memory = l->run->opt->memory_limit + CHILD_RESERVE;
	l->llvm.child_seconds = l->run->opt->time_limit;
	l->llvm.store = cache_open(l->run);
	l->llvm.tool = l->run->tool;
}

void
load_units(Run *run, Ir ***units, u32 *n)
{
	Loader l = {.run = run};

	set_options(&l);
	for (u32 i = 0; i < run->inputs.n; i++)
		add_input(&l, run->inputs.at[i]);
	read_units(&l, units, n);
	if (l.llvm.store && run->phases.depth)
		phase_count(&run->phases, l.found, "units from the cache");
	if (!run->inputs.n) /* classes of the platform */
		run->java = path_new(&run->arena, &run->diag);
	if (run->java)
		java_load(run, units, n);
	for (u32 i = 0; *n && i < l.assumptions.n; i++) {
		Ir *unit = (*units)[0];
		vec_push(unit->arena, &unit->assumes,
			 (Assume){intern_str(&unit->strs, l.assumptions.at[i]), 0, 0});
	}
}

/* ---- the program ------------------------------------------------------------ */

/* The shipped ones are beside the binary in a build tree, or in share/concord
 * where it is installed. */
bool
load_models(Run *run)
{
	static const char *const places[] = {"../share/models", "../share/concord/models"};
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	bool found = false, ok = false;
	Models *m;

	if (run->models)
		return true;
	m = run->models = models_new(&run->arena);
	exe[n > 0 ? n : 0] = 0;
	for (u32 i = 0; i < COUNT(places) && !found; i++) {
		char *dir = file_join(&run->arena, file_dir(&run->arena, exe), places[i]);
		found = file_is_dir(dir);
		if (found)
			ok = models_load_dir(m, dir, &run->diag);
	}
	if (!found)
		diag_error(&run->diag, NULL,
			   "the shipped models were not found beside the program");
	for (u32 i = 0; i < run->opt->model.n; i++)
		ok &= models_load_file(m, run->opt->model.at[i], &run->diag);
	for (u32 i = 0; i < run->opt->no_model.n; i++)
		models_ignore(m, run->opt->no_model.at[i]);
	return ok;
}

/* What never runs is not analysed. */
static void
prune(Run *run, Ir *program, FnId root, bool closed)
{
	/* Java's variables are known to native code and reflection. */
	PruneOptions opt = {
	    .closed = closed && !run->java, .memory = !run->java, .fields = run->java};

	phase_begin(&run->phases, "dead code");
	run->dead_blocks = ir_prune(program, root, &opt).blocks;
	ir_fences(program);
	phase_count(&run->phases, run->dead_blocks, "dead blocks");
	phase_end(&run->phases);
}

/* A program without a main may be of a kind that models know. */
static void
find_start(const Run *run, const Ir *program, HarnessOptions *h)
{
	const char *first, *then;

	for (u32 k = 0; !h->first && models_start(run->models, k, &first, &then); k++)
		if (harness_defines(program, first)) {
			h->first = first;
			h->then = then;
		}
}

FnId
load_program(Run *run, Ir *const *units, u32 n, Ir *program)
{
	Arena once;
	Ir linked;
	FnId root;
	HarnessOptions h = {.entries = run->opt->entry.at,
			    .nentry = run->opt->entry.n,
			    .open = run->opt->open.at,
			    .nopen = run->opt->open.n};

	if (run->java) /* its main calls them */
		h.nentry = h.nopen = 0;
	phase_begin(&run->phases, "link");
	arena_init(&once, &run->budget);
	ir_init(&linked, &once);
	ir_link(&linked, units, n, &run->diag);
	if (run->java)
		jvm_resolve(&linked);
	arena_release(&run->units);
	phase_end(&run->phases);
	phase_begin(&run->phases, "models");
	load_models(run);
	ir_init(program, &run->arena);
	model_apply(program, &linked, run->models, &run->diag);
	arena_release(&once);
	phase_end(&run->phases);
	find_start(run, program, &h);
	root = harness_build(program, &h, &run->diag);
	if (!run->java)
		ir_raise(program);
	if (root)
		prune(run, program, root, !h.nentry && !h.nopen && ir_find_fn(program, "main"));
	return root;
}
