/* cache.c - units that were lowered before.
 *
 * What a bitcode file becomes depends on its bytes, on the name that the unit
 * gets and on the directory that source names are shortened for: these are its
 * name in the store.  What a C source becomes depends on files that only clang
 * knows, so that there are two steps: under the command, the compiler and the
 * environment the store keeps the list of files that were read, each with its
 * digest; if all are still the same, that list names the unit.
 *
 * A file that is absent may matter as well: a header that appears earlier on the
 * search path, or one that was asked for by __has_include.  So the list goes with
 * the answers to "is there a file of that name in that directory?" for all names
 * that were included or asked for and all directories that take part.
 *
 * Only whole results get here: what a limit cut short, or what could not be
 * read, has no unit to keep. */
#include "base/file.h"
#include "base/reader.h"
#include "llvm/llvm_int.h"

#include <llvm/Config/llvm-config.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char unit_kind[] = "ir", list_kind[] = "deps";

enum { SUFFIX = 3 }; /* components of a path that may be what was included */

typedef Vec(const char *) Strs;

/* The files that a unit was made from. */
typedef struct Deps {
	Strs paths;
	Strs asked; /* names in __has_include */
} Deps;

/* ---- what a result depends on ------------------------------------------------- */

static const char *
here(Arena *a)
{
	char *cwd = arena_alloc(a, PATH_MAX);

	return getcwd(cwd, PATH_MAX) ? cwd : "";
}

/* The file that execvp would run. */
static const char *
find_compiler(Arena *a, const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return name;
	while (path && *path) {
		size_t n = strcspn(path, ":");
		const char *file = file_join(a, arena_dup(a, path, n), name);
		if (!access(file, X_OK))
			return file;
		path += n + (path[n] == ':');
	}
	return name;
}

/* Every name begins with who made the result. */
static void
key_begin(Key *k, Arena *a, const LlvmJob *job, const char *kind)
{
	key_init(k, a, job->options.tool);
	key_str(k, LLVM_VERSION_STRING);
	key_str(k, kind);
}

/* A compiler that was replaced has another size or time. */
static void
key_compiler(Key *k, const char *name)
{
	const char *file = find_compiler(k->arena, name);
	struct stat st = {0};

	(void)stat(file, &st);
	key_str(k, file);
	key_u64(k, (u64)st.st_size);
	key_u64(k, (u64)st.st_mtim.tv_sec);
	key_u64(k, (u64)st.st_mtim.tv_nsec);
}

static const char *const environment[] = {
    "CPATH",   "C_INCLUDE_PATH",    "CCC_OVERRIDE_OPTIONS",    "COMPILER_PATH", "GCC_EXEC_PREFIX",
    "SDKROOT", "SOURCE_DATE_EPOCH", "CLANG_NO_DEFAULT_CONFIG", "HOME"};

/* Files that these name are on no list. */
static bool
reads_more(const char *arg)
{
	static const char *const those[] = {"-fmodule",      "--config",  "-ivfsoverlay",
					    "-fpass-plugin", "-fthinlto", "@"};

	for (u32 i = 0; i < COUNT(those); i++)
		if (!strncmp(arg, those[i], strlen(those[i])))
			return true;
	return false;
}

/* The name under which the list of files is kept; false if the command may read
 * files that clang does not list. */
static bool
name_list(LlvmJob *job, Arena *a)
{
	const char **argv = clang_command(a, &job->input, &job->options);
	Key k;

	key_begin(&k, a, job, list_kind);
	key_str(&k, here(a));
	key_str(&k, job->input.directory);
	key_str(&k, job->input.path);
	key_compiler(&k, argv[0]);
	for (u32 i = 1; argv[i]; i++) {
		if (reads_more(argv[i]))
			return false;
		key_str(&k, argv[i]);
	}
	for (u32 i = 0; i < COUNT(environment); i++)
		key_str(&k, getenv(environment[i]));
	job->list = key_name(&k);
	return true;
}

/* ---- the answers to what is there ------------------------------------------------ */

static void
add_str(Arena *a, Intern *seen, Strs *to, const char *s, size_t n)
{
	u32 before = intern_count(seen);

	(void)intern_bytes(seen, s, n);
	if (intern_count(seen) > before)
		vec_push(a, to, arena_dup(a, s, n));
}

/* What of path may stand in an #include: its last component, its last two, ... */
static void
add_suffixes(Arena *a, Intern *seen, Strs *to, const char *path)
{
	const char *at = path + strlen(path);

	for (u32 k = 0; k < SUFFIX && at > path; k++) {
		for (at--; at > path && at[-1] != '/'; at--)
			continue;
		add_str(a, seen, to, at, strlen(at));
	}
}

static void
add_search_dirs(Arena *a, Intern *seen, Strs *to, const char **argv)
{
	static const char *const options[] = {"-I", "-iquote", "-isystem", "-idirafter"};

	for (u32 i = 1; argv[i]; i++)
		for (u32 k = 0; k < COUNT(options); k++) {
			size_t n = strlen(options[k]);
			const char *dir = argv[i] + n;
			if (strncmp(argv[i], options[k], n))
				continue;
			if (!*dir && argv[i + 1])
				dir = argv[i + 1];
			add_str(a, seen, to, dir, strlen(dir));
		}
	for (u32 i = 0; i < 2; i++) {
		const char *list = getenv(environment[i]);
		for (size_t n; list && *list; list += n + (list[n] == ':')) {
			n = strcspn(list, ":");
			add_str(a, seen, to, list, n);
		}
	}
}

static const char *
path_of(Arena *a, const LlvmJob *job, const char *path)
{
	return job->input.directory ? file_join(a, job->input.directory, path) : path;
}

static Digest
answers(const LlvmJob *job, Arena *a, const Deps *deps)
{
	Strs names = {0}, dirs = {0};
	Intern seen_names, seen_dirs;
	Vec(u8) bits = {0};

	intern_init(&seen_names, a);
	intern_init(&seen_dirs, a);
	add_search_dirs(a, &seen_dirs, &dirs, clang_command(a, &job->input, &job->options));
	for (u32 i = 0; i < deps->paths.n; i++) {
		const char *path = deps->paths.at[i], *dir = file_dir(a, path);
		add_str(a, &seen_dirs, &dirs, dir, strlen(dir));
		add_suffixes(a, &seen_names, &names, path);
	}
	for (u32 i = 0; i < deps->asked.n; i++)
		add_str(a, &seen_names, &names, deps->asked.at[i], strlen(deps->asked.at[i]));
	for (u32 i = 0; i < dirs.n; i++)
		for (u32 k = 0; k < names.n; k++) {
			const char *file = file_join(a, dirs.at[i], names.at[k]);
			vec_push(a, &bits, store_probe(job->options.store, path_of(a, job, file)));
		}
	return digest_bytes(bits.at, bits.n);
}

/* ---- the list of files --------------------------------------------------------------- */

static bool
read_str(Arena *a, Reader *r, const char **s)
{
	u64 n = reader_u64le(r);
	const u8 *at = n <= reader_left(r) ? reader_bytes(r, n) : NULL;

	*s = at ? arena_dup(a, at, n) : "";
	return at;
}

/* Are the files, and what is not there, as the list says? */
static bool
still_so(LlvmJob *job, Arena *a, const StoreEntry *e)
{
	Reader r = reader_on(e->bytes, e->n);
	u64 n = reader_u64le(&r);
	Deps deps = {0};
	const char *s;
	Digest d, was;

	for (u64 i = 0; i < n && read_str(a, &r, &s); i++) {
		was.hi = reader_u64le(&r);
		was.lo = reader_u64le(&r);
		if (r.failed || !store_file(job->options.store, path_of(a, job, s), &d) ||
		    !digest_equal(d, was))
			return false;
		vec_push(a, &deps.paths, s);
	}
	n = reader_u64le(&r);
	for (u64 i = 0; i < n && read_str(a, &r, &s); i++)
		vec_push(a, &deps.asked, s);
	was.hi = reader_u64le(&r);
	was.lo = reader_u64le(&r);
	return reader_done(&r) && digest_equal(answers(job, a, &deps), was);
}

static Digest
name_unit(const LlvmJob *job, Arena *a, const u8 *list, size_t n)
{
	Key k;

	key_init(&k, a, job->list);
	key_str(&k, unit_kind);
	key_bytes(&k, list, n);
	return key_name(&k);
}

/* Notes what in the text depends on more than files: names that are asked for,
 * and false for a date. */
static bool
scan(Arena *a, const char *text, size_t n, Deps *deps)
{
	static const char has[] = "__has_include";
	static const char *const dates[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
	const char *end = text + n;

	for (u32 i = 0; i < COUNT(dates); i++)
		if (memmem(text, n, dates[i], strlen(dates[i])))
			return false;
	while ((text = memmem(text, (size_t)(end - text), has, sizeof has - 1))) {
		text += sizeof has - 1;
		text += strspn(text, "_next( \t");
		if (*text == '<' || *text == '"')
			vec_push(a, &deps->asked,
				 arena_dup(a, text + 1, strcspn(text + 1, ">\"\n")));
	}
	return true;
}

/* Was the file changed since the compiler was started? */
static bool
too_new(const LlvmJob *job, const char *path)
{
	struct stat st;

	return stat(path, &st) || st.st_mtim.tv_sec > job->begun.tv_sec ||
	       (st.st_mtim.tv_sec == job->begun.tv_sec && st.st_mtim.tv_nsec >= job->begun.tv_nsec);
}

/* Writes the list for the files; false if it would not be the whole truth. */
static bool
make_list(LlvmJob *job, Arena *a, Deps *deps, Key *out)
{
	Digest d;

	*out = (Key){.arena = a};
	key_u64(out, deps->paths.n);
	for (u32 i = 0; i < deps->paths.n; i++) {
		const char *path = path_of(a, job, deps->paths.at[i]), *error;
		char *text;
		size_t n;
		if (too_new(job, path) || !store_file(job->options.store, path, &d) ||
		    !file_read(a, path, &text, &n, &error) || !scan(a, text, n, deps))
			return false;
		key_str(out, deps->paths.at[i]);
		key_digest(out, d);
	}
	key_u64(out, deps->asked.n);
	for (u32 i = 0; i < deps->asked.n; i++)
		key_str(out, deps->asked.at[i]);
	key_digest(out, answers(job, a, deps));
	return true;
}

/* Reads "target: file file \" as clang writes it. */
static void
parse_deps(Arena *a, const char *text, Deps *deps)
{
	Intern seen;

	intern_init(&seen, a);
	text = strchr(text, ':');
	while (text && *++text) {
		char *word = arena_alloc(a, strlen(text) + 1);
		u32 n = 0;
		for (; *text && !strchr(" \n", *text); text++) {
			if (*text == '\\' && text[1] == '\n')
				break;
			if ((*text == '\\' && strchr(" #", text[1])) ||
			    (*text == '$' && text[1] == '$'))
				text++;
			if (*text)
				word[n++] = *text;
		}
		if (n)
			add_str(a, &seen, &deps->paths, word, n);
		if (!*text)
			break;
	}
}

/* ---- for run.c ------------------------------------------------------------------------- */

static bool
find_bitcode(LlvmJob *job, Arena *a)
{
	const LlvmInput *in = &job->input;
	const char *error, *cwd = here(a);
	char *bytes;
	size_t n;
	Key k;

	if (!file_read(a, in->bitcode ? in->bitcode : in->path, &bytes, &n, &error))
		return false;
	job->content = hash_bytes(bytes, n);
	key_begin(&k, a, job, unit_kind);
	key_str(&k, cwd);
	key_str(&k, child_unit_name(a, in, cwd));
	key_u64(&k, in->bitcode != NULL);
	key_digest(&k, digest_bytes(bytes, n));
	job->name = key_name(&k);
	job->keep = KEEP_BITCODE;
	return store_get(job->options.store, unit_kind, job->name, &job->entry);
}

static bool
find_source(LlvmJob *job, Arena *a)
{
	StoreEntry e;
	bool found;

	if (!name_list(job, a))
		return false;
	job->keep = KEEP_SOURCE;
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &job->begun);
	if (!store_get(job->options.store, list_kind, job->list, &e))
		return false;
	found = still_so(job, a, &e);
	if (found)
		job->name = name_unit(job, a, e.bytes, e.n);
	store_close_entry(&e);
	return found && store_get(job->options.store, unit_kind, job->name, &job->entry);
}

bool
cache_find(LlvmJob *job)
{
	Arena a;
	bool found;

	arena_init(&a, NULL);
	found = child_is_bitcode(&job->input) ? find_bitcode(job, &a) : find_source(job, &a);
	arena_release(&a);
	return found;
}

static void
keep_source(LlvmJob *job, Arena *a, const void *bytes, size_t n)
{
	Deps deps = {0};
	struct stat st;
	char *text;
	Key list;

	if (fstat(job->deps, &st) || st.st_size <= 0)
		return;
	text = arena_alloc(a, (size_t)st.st_size + 1);
	if (pread(job->deps, text, (size_t)st.st_size, 0) != st.st_size)
		return;
	vec_push(a, &deps.paths, job->input.path);
	parse_deps(a, text, &deps);
	if (!make_list(job, a, &deps, &list))
		return;
	job->name = name_unit(job, a, list.bytes.at, list.bytes.n);
	store_put(job->options.store, unit_kind, job->name, bytes, n);
	store_put(job->options.store, list_kind, job->list, list.bytes.at, list.bytes.n);
}

void
cache_keep(LlvmJob *job, const Ir *unit, const void *bytes, size_t n)
{
	Arena a;

	arena_init(&a, NULL);
	/* the file may have changed between our look at it and the child's */
	if (job->keep == KEEP_BITCODE && unit->hash == job->content)
		store_put(job->options.store, unit_kind, job->name, bytes, n);
	else if (job->keep == KEEP_SOURCE)
		keep_source(job, &a, bytes, n);
	arena_release(&a);
}
