/* test_llvm.c - what C becomes: small sources, and what their IR must say. */
#include "unit.h"

#include "base/diag.h"
#include "base/file.h"
#include "llvm/llvm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A source, a part of the printed IR that must be there, one that must not. */
typedef struct Case {
	const char *flags; /* one, or null */
	const char *source;
	const char *has[6];
	const char *lacks;
} Case;

static const Case cases[] = {
    /* promotion: a local whose address stays here is a register, with its name */
    {NULL,
     "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
     {"%s", "%i", "phi"},
     "alloc"},
    /* but nothing that other memory sees is merged or dropped */
    {NULL,
     "int g; void f(void) { g = 1; g = 1; g; }",
     {"store @g, 1 !1:25", "store @g, 1 !1:32"},
     NULL},
    /* members by name, offsets within the outermost struct */
    {NULL,
     "struct s { int a; struct { int b, c; } in; }; int f(struct s *p) { return p->in.c; }",
     {"\"struct s\"", "4: ", "\"in\"", "field %p + 4", "\"c\""},
     NULL},
    {NULL,
     "typedef struct { char x; long y; } t; long f(t *p) { return p[2].y; }",
     {"struct \"t\"", "field %p + 32", " + 8 type"},
     NULL},
    /* container_of */
    {NULL,
     "struct s { int a, b; }; struct s *f(int *p) { return (struct s *)((char *)p - 4); }",
     {"field %p + -4"},
     NULL},
    /* a variable index: stride, and the extent where the array is known */
    {NULL,
     "int a[10][20]; int f(int i) { return a[i][3]; }",
     {"index @a + ", "* 80", "count 10", " + 12"},
     NULL},
    {NULL, "int f(short *p, long i) { return p[i]; }", {"index %p + %i * 2"}, NULL},
    /* atomics and volatile */
    {NULL, "_Atomic int x; int f(void) { return ++x; }", {"rmw.add.seq_cst @x, 1"}, NULL},
    {NULL, "volatile int v; void f(void) { v = 1; }", {"store.volatile"}, NULL},
    {NULL,
     "int f(int *p, int e) { return __sync_bool_compare_and_swap(p, e, 2); }",
     {"cas.seq_cst %p, %e, 2", "eq i32"},
     NULL},
    {NULL,
     "int f(int *p) { __atomic_store_n(p, 1, 3); return __atomic_load_n(p, 2); }",
     {"store.rel", "load.acq"},
     NULL},
    {NULL, "void f(void) { __atomic_thread_fence(5); }", {"fence.seq_cst"}, NULL},
    /* block operations */
    {NULL, "struct b { char x[99]; } p, q; void f(void) { p = q; }", {"bcopy @p, @q, 99"}, NULL},
    {NULL, "char z[64]; void f(int n) { __builtin_memset(z, 0, n); }", {"writen @z, "}, NULL},
    /* a struct passed in memory is copied by the caller */
    {NULL,
     "struct b { int x[9]; }; int f(struct b v); int g(struct b *p) { return f(*p); }",
     {"bcopy", "call @f(", "alloc.stack 36"},
     NULL},
    /* initial contents, thread-local, linkage */
    {NULL,
     "const char *s(void) { return \"ab\"; } char t[3] = \"xy\";",
     {"constant @.str size 3", "{0: i8 120, 1: i8 121}"},
     "i8 97"},
    {NULL, "int a[4]; int *p = &a[2]; int n = 7;", {"@p size 8", "= {0: @a[8]}", "{0: 7}"}, NULL},
    {NULL, "_Thread_local int t; int f(void) { return t; }", {"global tls @t", "load @t"}, NULL},
    {NULL,
     "int f(int x) { return x; } int g(int) __attribute__((alias(\"f\"), weak));",
     {"alias @g", "alias @f"},
     NULL},
    {NULL, "__attribute__((weak)) int w(void) { return 1; }", {"fn weak @w"}, NULL},
    {NULL,
     "static void a(void) {} __attribute__((constructor)) static void b(void) { a(); }",
     {"internal @b() constructor", "fn internal @a"},
     NULL},
    {NULL,
     "static int r(int x) { return x; } static void *s(void) { return r; }"
     "int q(int) __attribute__((ifunc(\"s\")));",
     {"fn @q(", "= call ptr @s()"},
     NULL},
    /* control */
    {NULL,
     "void *t(int i) { static void *l[] = {&&a, &&b}; goto *l[i]; a: return 0; b: return l; }",
     {"nondet", "switch"},
     NULL},
    {NULL, "int f(int a) { if (a) __builtin_trap(); return 1; }", {"exit !1:23"}, NULL},
    {NULL,
     "void e(int) __attribute__((noreturn)); void f(void) { e(1); }",
     {"declare @e(%1: i32) noreturn", "unreachable"},
     NULL},
    {NULL,
     "int f(int a, int b) { int r; return __builtin_add_overflow(a, b, &r) ? 0 : r; }",
     {"add %a, %b", "nondet i1"},
     NULL},
    /* assembly and varargs */
    {NULL,
     "int f(int *p) { int r; __asm__(\"movl (%1), %0\" : \"=r\"(r) : \"r\"(p)); return r; }",
     {"readn %p", "assumption \"inline assembly ignored\" @f"},
     NULL},
    {NULL,
     "void f(int *p) { __asm__(\"movl $0, (%0)\" : : \"r\"(p) : \"memory\"); }",
     {"extern \"asm\"(%p)", "assumption \"inline assembly ignored\" @f"},
     NULL},
    {NULL,
     "int *f(int *p) { __asm__(\"nop\" : \"+r\"(p)); return p; }",
     {"extern ptr \"asm\"(%p.1)"},
     NULL},
    {NULL, "void f(void) { __asm__ volatile(\"\" ::: \"memory\"); }", {"ret"}, "asm"},
    {NULL,
     "int f(int n, ...) { __builtin_va_list a; __builtin_va_start(a, n);"
     " return *__builtin_va_arg(a, int *); }",
     {"nondet.rest ptr", "variadic", "alloc.stack !", "+ 8", "+ 16"},
     NULL},
    /* truth values are not hidden behind int */
    {NULL,
     "int f(int *p) { int ok = *p == 3; _Bool b = ok; return b ? 1 : 2; }",
     {"eq i32"},
     " ne "},
    /* 32 bits */
    {"-m32", "int *p; int *f(long i) { return p + i; }", {" ptr 4", "load ptr @p", "* 4"}, "i64"},
    /* what is found on the stack is where it is found, not where the variable is set that names it */
    {NULL,
     "int g(void *);\nint f(int n) {\n void *p;\n p =\n  __builtin_alloca(n);\n return g(p); }",
     {"%p = alloc.stack %2 !5:3"},
     NULL},
    /* sites count the instructions before any pass */
    {NULL, "int g; void f(int a) { g = a; }", {"store @g, %a !1:26 #4"}, NULL},
    /* what newer compilers refuse is still read */
    {NULL, "int f() { return undeclared(1); }", {"call @undeclared(1)"}, NULL},
    {"-DX=5", "int f(void) { return X; }", {"ret 5"}, NULL},
};

/* What clang does not emit for C, or not without optimisation. */
/* Types each of which has two of the next one, sixty in all. */
#define TWO(x, y) "%t" x " = type { [0 x %t" y "], [0 x %t" y "] }\n"
#define TEN(d, e) \
	TWO(d "0", d "1") TWO(d "1", d "2") TWO(d "2", d "3") TWO(d "3", d "4") TWO(d "4", d "5") \
	TWO(d "5", d "6") TWO(d "6", d "7") TWO(d "7", d "8") TWO(d "8", d "9") TWO(d "9", e "0")
#define TWICE_60 \
	TEN("1", "2") TEN("2", "3") TEN("3", "4") TEN("4", "5") TEN("5", "6") TEN("6", "7") \
	"%t70 = type { i8 }\n@x = global %t10 zeroinitializer\n"

static const Case texts[] = {
    /* an attribute of more than 64 bits; and constants that are signed pointers */
    {NULL,
     "@g = global i128 0\ndeclare range(i128 -5, 36893488147419103232) i128 @e(i128)\n"
     "define range(i128 0, 36893488147419103232) i128 @f(i128 range(i128 3, 0) %x) {\n"
     "  %r = call i128 @e(i128 %x)\n  store i128 %r, ptr @g\n  ret i128 %r\n}\n"
     "@s = global ptr ptrauth (ptr @g, i32 0)\n",
     {"call.throws i128 @e(%x)", "store w128 @g", "@s"},
     NULL},
    /* LLVM wraps the bitcode of this system */
    {NULL,
     "target triple = \"x86_64-apple-macosx10.14.0\"\n@g = global i32 7\n",
     {"global @g size 4", "{0: 7}"},
     NULL},
    /* pointers into another address space, as the stack is on such machines */
    {NULL,
     "target datalayout = \"e-p:64:64-p5:32:32-A5\"\n@g = addrspace(5) global i32 7\n"
     "define ptr addrspace(5) @f(i32 %n) {\n  %a = alloca i32, i32 %n, addrspace(5)\n"
     "  ret ptr addrspace(5) %a\n}\n",
     {"alloc.stack ptr32"},
     NULL},
    /* types of processors that C knows by their intrinsics */
    {NULL,
     "define i64 @f(x86_mmx %x, ptr %p) {\n  store x86_mmx %x, ptr %p\n"
     "  %r = bitcast x86_mmx %x to i64\n  ret i64 %r\n}\n"
     "define void @g(target(\"spirv.Image\") %i, ptr %p) {\n"
     "  %t = load x86_amx, ptr %p\n  store x86_amx %t, ptr %p\n  ret void\n}\n",
     {"store w64 %p, %x", "agg64", "store w8192 %p, %3"},
     NULL},
    /* where an exception goes if no handler takes it comes first, as LLVM has it */
    {NULL,
     "declare void @g()\ndeclare i32 @p(...)\ndefine void @f() personality ptr @p {\n"
     "  invoke void @g() to label %c unwind label %d\nc:\n  ret void\n"
     "d:\n  %s = catchswitch within none [label %h] unwind label %k\n"
     "h:\n  %a = catchpad within %s [ptr null, i32 64, ptr null]\n  catchret from %a to label %c\n"
     "k:\n  %b = cleanuppad within none []\n  cleanupret from %b unwind to caller\n}\n",
     {"[1: b4]", "nondet agg !- #6\n\tthrow"},
     NULL},
    /* a typedef of itself */
    {NULL,
     "@g = global i32 0, !dbg !0\n!llvm.dbg.cu = !{!2}\n!llvm.module.flags = !{!6}\n"
     "!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())\n"
     "!1 = distinct !DIGlobalVariable(name: \"g\", scope: !2, file: !3, line: 1, type: !5)\n"
     "!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3)\n"
     "!3 = !DIFile(filename: \"a.c\", directory: \"/\")\n"
     "!5 = distinct !DIDerivedType(tag: DW_TAG_typedef, name: \"t\", baseType: !5)\n"
     "!6 = !{i32 2, !\"Debug Info Version\", i32 3}\n",
     {"global @g size 4 type t1"},
     NULL},
    /* a type of 2^60 others that take no memory */
    {NULL, TWICE_60, {"@x size 0"}, NULL},
    {NULL,
     "declare void @g()\ndeclare i32 @p(...)\n@x = global i32 0\n@y = global i32 0\n"
     "define void @f() personality ptr @p {\n  call void @g()\n"
     "  invoke void @g() to label %ok unwind label %bad\nok:\n  ret void\n"
     "bad:\n  %v = phi i64 [ sub (i64 ptrtoint (ptr @x to i64), i64 ptrtoint (ptr @y to i64)), %0 "
     "]\n"
     "  %l = landingpad { ptr, i32 } cleanup\n  store i64 %v, ptr @x\n"
     "  resume { ptr, i32 } %l\n}\n",
     {"call.throws @g()", "br b2", "sub i64 @x, @y", "throw", "nondet agg", "exc b"},
     NULL},
    {NULL,
     "define ptr @f(ptr %a, i1 %c) {\n  %x = insertvalue { i64, ptr } undef, ptr %a, 1\n"
     "  %y = insertvalue { i64, ptr } %x, i64 7, 0\n  %z = extractvalue { i64, ptr } %y, 1\n"
     "  %w = select i1 %c, ptr %z, ptr null\n  %q = freeze ptr %w\n  ret ptr %q\n}\n",
     {"copy agg128", "select agg128 undef", "copy ptr", "select ptr %c"},
     NULL},
    {NULL,
     "@a = global [4 x i32] zeroinitializer\n@p = alias i32, getelementptr (i8, ptr @a, i64 0)\n"
     "define i32 @f(i64 %n) {\n  %v = load [3000 x i64], ptr @a\n"
     "  store [3000 x i64] %v, ptr @a\n  %q = load i32, ptr @p\n  ret i32 %q\n}\n",
     {"readn @a, 24000", "writen @a, 24000", "load @a", "alias @p", "assumption"},
     NULL},
    {NULL,
     "declare <4 x ptr> @llvm.masked.load.v4p0.p0(ptr, i32, <4 x i1>, <4 x ptr>)\n"
     "declare i32 @llvm.ctpop.i32(i32)\n"
     "define i32 @f(ptr %p, i32 %n) {\n  %v = call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr %p, i32 "
     "8,"
     " <4 x i1> undef, <4 x ptr> undef)\n  %c = call i32 @llvm.ctpop.i32(i32 %n)\n  ret i32 "
     "%c\n}\n",
     {"index", "load", "select agg256 undef"},
     NULL},
    {NULL,
     "define i32 @f(ptr %p) {\n  %r = cmpxchg weak ptr %p, i32 1, i32 2 acq_rel monotonic\n"
     "  %s = extractvalue { i32, i1 } %r, 1\n  %t = zext i1 %s to i32\n  ret i32 %t\n}\n",
     {"cas.fails_relaxed.acq_rel %p, 1, 2", "eq i32", "nondet i1", "and i1"},
     NULL},
    /* an unreachable block, and what it gives to a phi, are gone */
    {NULL,
     "define i32 @f() {\n  br label %b\ndead:\n  %d = add i32 1, 2\n  br label %b\n"
     "b:\n  %r = phi i32 [ 4, %0 ], [ %d, %dead ]\n  ret i32 %r\n}\n",
     {"phi [b1: 4] "},
     "add"},
};

typedef struct World {
	Arena a;
	Diag diag;
	char *dir;
} World;

static int
setup(void **state)
{
	static World w;
	const char *error;

	arena_init(&w.a, NULL);
	diag_init(&w.diag, &w.a, NULL);
	assert_true(file_temp_dir(&w.a, &w.dir, &error));
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

static const char *
write_source(World *w, const char *name, const char *text)
{
	const char *path = file_join(&w->a, w->dir, name), *error;

	assert_true(file_write(&w->a, path, text, strlen(text), &error));
	return path;
}

static char *
print(World *w, const Ir *ir)
{
	char *text = NULL, *copy;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	ir_print(ir, f);
	assert_int_equal(fclose(f), 0);
	copy = arena_dup(&w->a, text, n);
	free(text);
	return copy;
}

static char *
lower(World *w, const char *path, const char *flag)
{
	LlvmOptions o = {.flags = &flag, .nflags = flag != NULL, .child_seconds = 30};
	Ir unit;

	ir_init(&unit, &w->a);
	if (!llvm_load(&unit, path, &o, &w->diag))
		return NULL;
	return print(w, &unit);
}

/* Prints each disappointment and returns their number. */
static u32
check_case(World *w, const char *name, const Case *c)
{
	const char *path = write_source(w, name, c->source);
	char *ir = lower(w, path, c->flags);
	u32 wrong = 0;

	if (!ir) {
		print_error("%s\n%s\n", c->source, w->diag.msgs.at[w->diag.msgs.n - 1].text);
		return 1;
	}
	for (u32 i = 0; i < COUNT(c->has) && c->has[i]; i++)
		if (!strstr(ir, c->has[i])) {
			print_error("no `%s` in the IR of\n%s\n", c->has[i], c->source);
			wrong++;
		}
	if (c->lacks && strstr(ir, c->lacks)) {
		print_error("there is `%s` in the IR of\n%s\n", c->lacks, c->source);
		wrong++;
	}
	if (wrong)
		print_error("%s\n", ir);
	return wrong;
}

static void
lowers_as_expected(void **state)
{
	u32 wrong = 0;

	for (u32 i = 0; i < COUNT(cases); i++)
		wrong += check_case(*state, "case.c", &cases[i]);
	for (u32 i = 0; i < COUNT(texts); i++)
		wrong += check_case(*state, "case.ll", &texts[i]);
	assert_int_equal(wrong, 0);
}

static void
same_result_each_time(void **state)
{
	World *w = *state;
	const char *path = write_source(w, "same.c", cases[2].source);
	char *first = lower(w, path, NULL);

	assert_non_null(first);
	for (u32 i = 0; i < 3; i++)
		assert_string_equal(first, lower(w, path, NULL));
}

/* Several children at once, collected in another order than they were started. */
static void
runs_side_by_side(void **state)
{
	enum { JOBS = 4 };
	World *w = *state;
	LlvmOptions o = {.child_seconds = 30};
	LlvmJob job[JOBS];

	for (u32 i = 0; i < JOBS; i++) {
		const char *name = arena_printf(&w->a, "side%u.c", i);
		const char *text = arena_printf(&w->a, "int v%u; void f(void) { v%u = 1; }", i, i);
		LlvmInput in = {.path = write_source(w, name, text)};
		assert_true(llvm_start(&job[i], &in, &o, &w->diag));
	}
	for (u32 i = JOBS; i-- > 0;) {
		Ir unit;
		ir_init(&unit, &w->a);
		assert_true(llvm_collect(&job[i], &unit, &w->diag));
		assert_non_null(strstr(print(w, &unit), arena_printf(&w->a, "@v%u, 1", i)));
	}
}

static void *
load_one(void *arg)
{
	World *w = arg;
	LlvmOptions o = {.child_seconds = 60};
	Arena a;
	Ir unit;
	bool ok = true;

	for (u32 i = 0; i < 3; i++) {
		arena_init(&a, NULL);
		ir_init(&unit, &a);
		ok &= llvm_load(&unit, file_join(&a, w->dir, "threads.c"), &o, &w->diag);
		ok &= ir_find_fn(&unit, "f") != 0;
		arena_release(&a);
	}
	return ok ? w : NULL;
}

static void
runs_in_several_threads(void **state)
{
	enum { THREADS = 4 };
	World *w = *state;
	pthread_t t[THREADS];
	void *result;

	write_source(w, "threads.c", cases[0].source);
	for (u32 i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, load_one, w), 0);
	for (u32 i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(t[i], &result), 0);
		assert_ptr_equal(result, w);
	}
}

/* A command of a compilation database: another compiler, its options, outputs. */
static void
takes_a_command(void **state)
{
	World *w = *state;
	const char *const argv[] = {"ccache",  "gcc",       "-O3",     "-fconserve-stack",
				    "-DVAL=9", "-MD",       "-MF",     "x.d",
				    "-o",      "/no/where", "-c",      "cmd.c",
				    "other.c", "lib.o",     "-Werror", "-fno-tree-sra"};
	LlvmOptions o = {.child_seconds = 30};
	Ir unit;

	write_source(w, "cmd.c", "int f(void) { return VAL; }");
	ir_init(&unit, &w->a);
	if (!llvm_load_command(&unit, w->dir, argv, COUNT(argv), "cmd.c", &o, &w->diag))
		fail_msg("%s", w->diag.msgs.at[w->diag.msgs.n - 1].text);
	assert_non_null(strstr(print(w, &unit), "ret 9"));
	assert_non_null(strstr(print(w, &unit), "options unknown to clang"));
	/* the unit and its positions say in which directory */
	assert_string_equal(ir_str(&unit, unit.unit), file_join(&w->a, w->dir, "cmd.c"));
	assert_string_equal(ir_str(&unit, unit.srcs.at[1].file), ir_str(&unit, unit.unit));
}

/* Positions keep the name that the user gave, or say where it is. */
static void
keeps_file_names(void **state)
{
	World *w = *state;
	const char *path =
	    write_source(w, "pos.c", "# 7 \"/some/where.y\"\nint g; int f(void) { return g; }");
	char *ir = lower(w, path, NULL);

	assert_non_null(ir);
	assert_non_null(strstr(ir, "\"/some/where.y\":7"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lowers_as_expected), cmocka_unit_test(same_result_each_time),
	    cmocka_unit_test(runs_side_by_side),  cmocka_unit_test(runs_in_several_threads),
	    cmocka_unit_test(takes_a_command),    cmocka_unit_test(keeps_file_names),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
