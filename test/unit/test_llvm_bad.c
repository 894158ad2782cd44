/* test_llvm_bad.c - damaged bitcode and other bad inputs: each gets a message
 * that names the file, none harms the process. */
#include "unit.h"

#include "base/diag.h"
#include "base/file.h"
#include "llvm/llvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUTATIONS = 600, AT_ONCE = 4 };

static const char source[] =
    "#include <stdatomic.h>\n"
    "struct node { struct node *next; int key : 5; char name[12]; };\n"
    "static struct node pool[4], *head = &pool[1];\n"
    "_Atomic int count; _Thread_local long seen; int (*hook)(int, ...);\n"
    "static int find(const char *s) { int n = 0; for (struct node *p = head; p; p = p->next)\n"
    "  switch (p->name[0]) { case 'a': n++; break; case 'b': n += hook(n, s); default: seen = n; "
    "}\n"
    "  return atomic_fetch_add(&count, n); }\n"
    "int main(int c, char **v) { struct node l = pool[c]; head = &l; return find(v[1]); }\n";

typedef struct World {
	Arena a;
	Diag diag;
	char *dir;
	char *code; /* good bitcode */
	size_t n;
} World;

static const char *
path_in(World *w, const char *name)
{
	return file_join(&w->a, w->dir, name);
}

static const char *
write_bytes(World *w, const char *name, const void *p, size_t n)
{
	const char *path = path_in(w, name), *error;

	assert_true(file_write(&w->a, path, p, n, &error));
	return path;
}

static int
setup(void **state)
{
	static World w;
	const char *error, *from, *to;

	arena_init(&w.a, NULL);
	diag_init(&w.diag, &w.a, NULL);
	assert_true(file_temp_dir(&w.a, &w.dir, &error));
	from = write_bytes(&w, "good.c", source, sizeof source - 1);
	to = path_in(&w, "good.bc");
	assert_int_equal(
	    system(arena_printf(&w.a, "clang-19 -g -emit-llvm -c '%s' -o '%s'", from, to)), 0);
	assert_true(file_read(&w.a, to, &w.code, &w.n, &error));
	*state = &w;
	return 0;
}

static int
teardown(void **state)
{
	World *w = *state;

	file_remove_tree(w->dir);
	diag_release(&w->diag);
	arena_release(&w->a);
	return 0;
}

static const LlvmOptions options = {.child_memory = (size_t)2 << 30, .child_seconds = 10};

static bool
load(World *w, const char *path)
{
	Arena a;
	Ir unit;
	bool ok;

	arena_init(&a, NULL);
	ir_init(&unit, &a);
	ok = llvm_load(&unit, path, &options, &w->diag);
	arena_release(&a);
	return ok;
}

static const DiagMsg *
last(World *w)
{
	assert_true(w->diag.msgs.n > 0);
	return &w->diag.msgs.at[w->diag.msgs.n - 1];
}

/* ---- mutations ---------------------------------------------------------- */

/* One to eight flipped bits, an overwritten range, or a shorter file. */
static size_t
mutate(const World *w, Rand *r, char *to)
{
	size_t n = w->n;
	u32 flips = 1 + rand_below(r, 8), at, len;

	memcpy(to, w->code, n);
	switch (rand_below(r, 4)) {
	case 0: return rand_below(r, (u32)n);
	case 1:
		at = rand_below(r, (u32)n);
		len = rand_below(r, 64);
		len = MIN(len, (u32)n - at);
		for (u32 i = 0; i < len; i++)
			to[at + i] = (char)rand_below(r, 256);
		return n;
	default:
		while (flips--)
			to[rand_below(r, (u32)n)] ^= (char)(1 << rand_below(r, 8));
		return n;
	}
}

/* Returns whether the damage was found; if so, there must be a message. */
static bool
collect(World *w, LlvmJob *job)
{
	u32 before = w->diag.errors;
	Arena a;
	Ir unit;
	bool ok;

	arena_init(&a, NULL);
	ir_init(&unit, &a);
	ok = llvm_collect(job, &unit, &w->diag);
	arena_release(&a);
	if (ok) {
		assert_int_equal(w->diag.errors, before);
		return false;
	}
	assert_int_equal(w->diag.errors, before + 1);
	assert_string_equal(last(w)->file, job->input.path);
	assert_true(strlen(last(w)->text) > 5);
	return true;
}

/* How many mutations are refused; if captured, as what our clang is said to have written. */
static u32
load_mutated(World *w, Rand *r, bool captured)
{
	char *bytes = arena_alloc(&w->a, w->n);
	LlvmJob job[AT_ONCE];
	u32 refused = 0;

	for (u32 i = 0; i < MUTATIONS + AT_ONCE; i++) {
		if (i >= AT_ONCE)
			refused += collect(w, &job[i % AT_ONCE]);
		if (i < MUTATIONS) {
			LlvmInput in = {0};
			size_t n = mutate(w, r, bytes);
			in.path = write_bytes(w, arena_printf(&w->a, "m%u.bc", i), bytes, n);
			in.bitcode = captured ? in.path : NULL;
			in.content = captured ? hash_bytes(bytes, n) : 0;
			assert_true(llvm_start(&job[i % AT_ONCE], &in, &options, &w->diag));
		}
	}
	return refused;
}

/* Some mutations leave the file readable: a changed name is no damage. */
static void
mutated_bitcode_gets_a_message(void **state)
{
	World *w = *state;
	Rand r = {600};

	assert_true(load_mutated(w, &r, false) > MUTATIONS / 2);
	assert_true(load(w, path_in(w, "good.bc")));
}

/* What is said to be as clang wrote it is not verified, but damage does no more harm. */
static void
mutated_capture_gets_a_message(void **state)
{
	Rand r = {601};

	assert_true(load_mutated(*state, &r, true) > MUTATIONS / 8);
}

/* ---- other bad inputs --------------------------------------------------- */

typedef struct Bad {
	const char *name, *bytes;
	const char *says; /* in the last message */
} Bad;

static const Bad bad[] = {
    {"empty.bc", "", "is empty"},
    {"empty.c", "", "is empty"},
    {"text.bc", "This is no bitcode.\n", "expected top-level entity"},
    {"half.ll", "define i32 @f() {\n  ret i32\n}\n", "expected"},
    {"type.ll", "define i32 @f(ptr %p) {\n  ret ptr %p\n}\n", "value doesn't match"},
    {"dom.ll", "define i32 @f() {\n  %a = add i32 %b, 1\n  %b = add i32 1, 1\n  ret i32 %a\n}\n",
     "does not dominate"},
    {"syntax.c", "int f(void) { return 1\n", "does not compile"},
    {"missing.c", "#include \"no/such/header.h\"\n", "does not compile"},
};

static void
bad_files_get_a_reason(void **state)
{
	World *w = *state;

	for (u32 i = 0; i < COUNT(bad); i++) {
		const char *path = write_bytes(w, bad[i].name, bad[i].bytes, strlen(bad[i].bytes));
		assert_false(load(w, path));
		assert_string_equal(last(w)->file, path);
		if (!strstr(last(w)->text, bad[i].says))
			fail_msg("%s: %s", bad[i].name, last(w)->text);
	}
}

static void
clang_errors_keep_their_place(void **state)
{
	World *w = *state;
	const char *path = write_bytes(w, "place.c", "int a;\nint f(void) { return b; }\n", 33);
	const DiagMsg *m;

	assert_false(load(w, path));
	assert_true(w->diag.msgs.n >= 2);
	m = &w->diag.msgs.at[w->diag.msgs.n - 2];
	assert_string_equal(m->file, path);
	assert_int_equal(m->line, 2);
	assert_int_equal(m->col, 22);
}

static void
absent_and_odd_paths(void **state)
{
	World *w = *state;

	assert_false(load(w, path_in(w, "absent.bc")));
	assert_non_null(strstr(last(w)->text, "No such file"));
	assert_false(load(w, path_in(w, "absent.c")));
	assert_non_null(strstr(last(w)->text, "No such file"));
	assert_false(load(w, w->dir));
	assert_non_null(strstr(last(w)->text, "directory"));
}

static void
absent_compiler(void **state)
{
	World *w = *state;
	LlvmOptions o = {.clang = "no-such-compiler"};
	Ir unit;

	ir_init(&unit, &w->a);
	assert_false(llvm_load(&unit, path_in(w, "good.c"), &o, &w->diag));
	assert_non_null(strstr(last(w)->text, "no-such-compiler cannot be run"));
}

/* A compiler that never ends is ended. */
static void
endless_compiler(void **state)
{
	World *w = *state;
	const char *path = write_bytes(w, "endless", "#!/bin/sh\nexec sleep 1000\n", 27);
	LlvmOptions o = {.clang = path, .child_seconds = 1};
	Ir unit;

	assert_int_equal(system(arena_printf(&w->a, "chmod +x '%s'", path)), 0);
	ir_init(&unit, &w->a);
	assert_false(llvm_load(&unit, path_in(w, "good.c"), &o, &w->diag));
	assert_non_null(strstr(last(w)->text, "within 1 s"));
}

/* Too little memory ends the child, not us. */
static void
memory_runs_out(void **state)
{
	enum { GLOBALS = 100000, LINE = 40 };
	World *w = *state;
	LlvmOptions o = {.child_memory = 8 << 20, .child_seconds = 20};
	char *text = arena_alloc(&w->a, GLOBALS * LINE);
	size_t n = 0;
	const char *path;
	Ir unit;

	for (u32 i = 0; i < GLOBALS; i++)
		n += (size_t)snprintf(text + n, LINE, "@g%u = global i32 %u\n", i, i);
	path = write_bytes(w, "many.ll", text, n);
	ir_init(&unit, &w->a);
	assert_false(llvm_load(&unit, path, &o, &w->diag));
	assert_string_equal(last(w)->file, path);
	assert_non_null(strstr(last(w)->text, "needs more than 8 MiB"));
	assert_true(load(w, path));
}

/* A few processes read good and bad units in turn, and outlive none that is bad: each
 * unit gets what it gets from a process of its own, whatever came before it. */
static void
bad_units_among_good_ones(void **state)
{
	enum { UNITS = 24, BAD = 5 };
	World *w = *state;
	LlvmInput in[UNITS] = {0};
	LlvmJob job[UNITS];

	for (u32 i = 0; i < UNITS; i++)
		in[i].path = path_in(w, i % 3 ? "good.c" : "good.bc");
	for (u32 i = 0; i < UNITS; i += BAD)
		in[i].path = path_in(w, bad[i / BAD].name);
	for (u32 most = 1; most <= 4; most++) {
		LlvmOptions o = options;
		o.readers = llvm_readers_new(&w->a, in, &o, most);
		for (u32 i = 0; i < UNITS; i++)
			assert_true(llvm_start(&job[i], &in[i], &o, &w->diag));
		for (u32 i = 0; i < UNITS; i++) {
			assert_int_equal(collect(w, &job[i]), i % BAD == 0);
			if (i % BAD == 0)
				assert_non_null(strstr(last(w)->text, bad[i / BAD].says));
		}
		llvm_readers_end(o.readers);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(mutated_bitcode_gets_a_message),
	    cmocka_unit_test(mutated_capture_gets_a_message),
	    cmocka_unit_test(bad_files_get_a_reason),
	    cmocka_unit_test(clang_errors_keep_their_place),
	    cmocka_unit_test(absent_and_odd_paths),
	    cmocka_unit_test(absent_compiler),
	    cmocka_unit_test(endless_compiler),
	    cmocka_unit_test(memory_runs_out),
	    cmocka_unit_test(bad_units_among_good_ones),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
