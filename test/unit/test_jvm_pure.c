/* Lowered methods behave as the originals.
 *
 * test/jvm/Pure.java is compiled and run by the JDK, which prints what each
 * method gives for many arguments; the interleaver runs the IR of the same
 * class.  For each line a root calls the method and, if the result is another,
 * writes a variable that a second thread writes too: a race that the search
 * reports.  The same root with a wrong expectation must report it. */
#include "unit.h"

#include "ir/interleave.h"
#include "jvm/jvm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const classes[] = {"Pure",       "Pure$Odd",    "Pure$VeryOdd", "Pure$Even",
				      "Pure$Shape", "Pure$Square", "Pure$Grown",   "Pure$Lazy",
				      "Pure$Maker", "Pure$Area",   "Pure$Op",      "Pure$SquareOp"};

typedef struct World {
	Arena a;
	Ir ir;
	GlobalId flag;
	FnId writer;
	ClassId pure;
} World;

/* ---- loading -------------------------------------------------------------- */

static void
load_class(World *w, JvmUnit *u, const char *dir, const char *name)
{
	char *path = arena_printf(&w->a, "%s/%s.class", dir, name);
	FILE *f = fopen(path, "rb");
	u8 *bytes = arena_alloc(&w->a, 1 << 16);
	ClassFile *c = arena_new(&w->a, ClassFile);
	const char *why = "";
	size_t n;

	if (!f)
		fail_msg("%s is not there", path);
	n = fread(bytes, 1, 1 << 16, f);
	fclose(f);
	if (!class_parse(c, &w->a, bytes, n, &why))
		fail_msg("%s: %s", name, why);
	assert_int_equal(jvm_lower_class(u, c), 0);
}

static void
build_writer(World *w)
{
	Ir *ir = &w->ir;
	Build b;

	w->flag = ir->globals.n;
	vec_push(
	    &w->a, &ir->globals,
	    (Global){.name = intern_str(&ir->strs, "flag"), .size = 4, .linkage = LINK_EXTERNAL});
	w->writer = ir->fns.n;
	vec_push(&w->a, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, "writer"), .linkage = LINK_EXTERNAL});
	build_begin(&b, ir, w->writer);
	build_block_new(&b);
	build_block_start(&b, 1);
	build_ins(&b, OP_STORE, 2,
		  (Val[]){ir_const_global(ir, w->flag, 0), ir_const_int(ir, 32, 1)})
	    ->width = 32;
	build_term(&b, OP_RET, 0, NULL, 0, NULL);
	build_end(&b);
}

/* The interleaver has no class objects: a global stands for each. */
static void
make_class_objects(World *w)
{
	Ir *ir = &w->ir;

	for (ConstId k = 1; k < ir->consts.n; k++) {
		Const *c = &ir->consts.at[k];
		if (c->kind != CONST_CLASS)
			continue;
		*c = (Const){.kind = CONST_GLOBAL, .rt = RT_PTR, .width = 64, .ref = ir->globals.n};
		vec_push(&w->a, &ir->globals,
			 (Global){.name = intern_str(&ir->strs, arena_printf(&w->a, "class %u", k)),
				  .size = 8,
				  .linkage = LINK_EXTERNAL});
	}
}

static ClassId
find_class(const Ir *ir, const char *name)
{
	for (ClassId c = 1; c < ir->classes.n; c++)
		if (!strcmp(ir_str(ir, ir->classes.at[c].name), name))
			return c;
	return 0;
}

/* What the library's methods do that matters here: nothing, or to give back their
 * first argument. */
static void
build_library(World *w)
{
	static const char *const names[] = {
	    "java.lang.Object.<init>()V",
	    "java.lang.RuntimeException.<init>(Ljava/lang/String;Ljava/lang/Throwable;ZZ)V",
	    "java.lang.Exception.<init>(Ljava/lang/String;Ljava/lang/Throwable;ZZ)V",
	    "java.util.Objects.requireNonNull(Ljava/lang/Object;)Ljava/lang/Object;"};
	Val first = 1;
	Ir *ir = &w->ir;

	for (u32 k = 0; k < COUNT(names); k++) {
		FnId f = ir_find_fn(ir, names[k]);
		Build b;
		assert_true(f);
		ir->fns.at[f].linkage = LINK_EXTERNAL;
		build_begin(&b, ir, f);
		for (u32 p = 0; p < ir->fns.at[f].nparam; p++)
			build_param(&b, p, p < 3 ? RT_PTR : RT_INT, p < 3 ? 64 : 32, 0);
		build_block_new(&b);
		build_block_start(&b, 1);
		build_term(&b, OP_RET, ir->fns.at[f].ret == RT_PTR, &first, 0, NULL);
		build_end(&b);
	}
	/* What is above the test's own exceptions, for the handlers' tests. */
	ir->classes.at[find_class(ir, "java.lang.RuntimeException")].super =
	    find_class(ir, "java.lang.Exception");
}

static void
load_world(World *w, const char *dir)
{
	JvmUnit *u;
	const char *broken;

	arena_init(&w->a, NULL);
	ir_init(&w->ir, &w->a);
	w->ir.unit = intern_str(&w->ir.strs, "pure");
	u = jvm_unit_new(&w->ir);
	for (u32 k = 0; k < COUNT(classes); k++)
		load_class(w, u, dir, classes[k]);
	jvm_unit_finish(u);
	jvm_resolve(&w->ir);
	build_library(w);
	build_writer(w);
	make_class_objects(w);
	w->pure = find_class(&w->ir, "Pure");
	broken = ir_check(&w->ir);
	if (broken)
		fail_msg("%s", broken);
}

/* ---- one line ------------------------------------------------------------- */

typedef struct Line {
	FnId fn;
	u32 narg;
	i64 args[2];
	bool throws;
	i64 result;
	const char *thrown;
} Line;

static bool
read_line(World *w, const char *text, Line *out)
{
	char name[64], desc[32], rest[128];
	int at;
	const char *s;

	*out = (Line){0};
	if (sscanf(text, "%63s %31s%n", name, desc, &at) != 2)
		return false;
	out->fn = ir_find_fn(&w->ir, arena_printf(&w->a, "Pure.%s%s", name, desc));
	for (s = text + at; sscanf(s, " %127s%n", rest, &at) == 1; s += at) {
		if (!strcmp(rest, "=") || !strcmp(rest, "!"))
			break;
		assert_in_range(out->narg, 0, 1);
		out->args[out->narg++] = strtoll(rest, NULL, 10);
	}
	out->throws = !strcmp(rest, "!");
	if (sscanf(s + at, " %127s", rest) != 1)
		return false;
	out->result = strtoll(rest, NULL, 10);
	out->thrown = arena_strdup(&w->a, rest);
	return true;
}

static Ins *
define(Build *b, Op op, u32 narg, const Val *args, RegType rt, u16 width, Val *out)
{
	Val r = build_reg(b, rt, width);
	Ins *i = build_ins(b, op, narg, args);

	i->rt = (u8)rt;
	i->width = width;
	i->dst = *out = r;
	return i;
}

/* Blocks of the root: the call; a result; an exception; wrong; right. */
enum { CALL = 1, RESULT, CAUGHT, WRONG, RIGHT };

static void
build_result(World *w, Build *b, const Line *l, Val r, u16 width)
{
	Val c;
	Ins *i;

	build_block_start(b, RESULT);
	if (l->throws) {
		build_term(b, OP_BR, 0, NULL, 1, (BlockId[]){WRONG});
		return;
	}
	i = define(b, OP_CMP, 2, (Val[]){r, ir_const_int(&w->ir, width, l->result)}, RT_INT, 1, &c);
	i->sub = CMP_EQ;
	i->imm = width;
	build_term(b, OP_CBR, 1, &c, 2, (BlockId[]){RIGHT, WRONG});
}

/* An exception that the program made is looked at; others have no object. */
static void
build_caught(World *w, Build *b, const Line *l)
{
	Val e, is;
	Ins *i;

	build_block_start(b, CAUGHT);
	if (!l->throws || strncmp(l->thrown, "Pure$", 5)) {
		build_term(b, OP_BR, 0, NULL, 1, (BlockId[]){l->throws ? RIGHT : WRONG});
		return;
	}
	define(b, OP_NONDET, 0, NULL, RT_PTR, 64, &e)->sub = 2;
	i = define(b, OP_FILTER, 1, &e, RT_INT, 32, &is);
	i->sub = 1;
	i->aux = find_class(&w->ir, l->thrown);
	build_term(b, OP_CBR, 1, &is, 2, (BlockId[]){RIGHT, WRONG});
}

static FnId
build_root(World *w, const Line *l)
{
	Ir *ir = &w->ir;
	FnId root = ir->fns.n;
	const char *desc = strchr(ir_str(ir, ir->fns.at[l->fn].name), '(');
	u16 width = strchr(desc, ')')[1] == 'J' ? 64 : 32;
	Val args[3] = {ir_const_fn(ir, l->fn)}, r;
	Build b;

	for (u32 k = 0; k < l->narg; k++)
		args[k + 1] = ir_const_int(ir, desc[k + 1] == 'J' ? 64 : 32, l->args[k]);
	vec_push(&w->a, &ir->fns,
		 (Fn){.name = intern_str(&ir->strs, "root"), .linkage = LINK_INTERNAL});
	build_begin(&b, ir, root);
	for (u32 k = CALL; k <= RIGHT; k++)
		build_block_new(&b);
	build_block_exc(&b, CALL, CAUGHT);
	build_block_start(&b, CALL);
	build_ins(&b, OP_FORK, 2, (Val[]){0, ir_const_fn(ir, w->writer)})->width = 64;
	build_ins(&b, OP_CINIT, 0, NULL)->aux = w->pure;
	define(&b, OP_CALL, l->narg + 1, args, RT_INT, width, &r)->flags = INS_THROWS;
	build_term(&b, OP_BR, 0, NULL, 1, (BlockId[]){RESULT});
	build_result(w, &b, l, r, width);
	build_caught(w, &b, l);
	build_block_start(&b, WRONG);
	build_ins(&b, OP_STORE, 2,
		  (Val[]){ir_const_global(ir, w->flag, 0), ir_const_int(ir, 32, 2)})
	    ->width = 32;
	build_term(&b, OP_RET, 0, NULL, 0, NULL);
	build_block_start(&b, RIGHT);
	build_term(&b, OP_RET, 0, NULL, 0, NULL);
	build_end(&b);
	return root;
}

/* Does the root reach WRONG?  The search must be complete. */
static bool
is_wrong(World *w, const Line *l, const char *text)
{
	InterleaveLimits limits = interleave_defaults;
	InterleaveResult r = {.arena = &w->a};

	limits.max_local = 100000;
	if (!interleave_run(&w->ir, build_root(w, l), &limits, &r))
		fail_msg("%s: %s", text, r.why);
	return r.pairs.n != 0;
}

/* ---- all ------------------------------------------------------------------ */

static void
run(const char *fmt, const char *dir)
{
	char command[512];

	snprintf(command, sizeof command, fmt, dir);
	if (system(command))
		fail_msg("failed: %s", command);
}

static void
test_same_results(void **state)
{
	char dir[] = "/tmp/concord-pure-XXXXXX", text[512], command[256];
	World w;
	FILE *lines;
	u32 n = 0, wrong = 0;

	(void)state;
	assert_non_null(mkdtemp(dir));
	run("javac -d %s test/jvm/Pure.java test/jvm/PureMain.java", dir);
	load_world(&w, dir);
	snprintf(command, sizeof command,
		 "java -Xshare:auto -XX:TieredStopAtLevel=1 -cp %s PureMain", dir);
	lines = popen(command, "r");
	assert_non_null(lines);
	while (fgets(text, sizeof text, lines)) {
		Line l;
		assert_true(read_line(&w, text, &l));
		if (!l.fn)
			fail_msg("no such method: %s", text);
		if (is_wrong(&w, &l, text)) {
			print_message("not so: %s", text);
			wrong++;
		}
		/* A run that stops half-way would not be wrong either. */
		l.result ^= 1;
		l.throws = false;
		if (!is_wrong(&w, &l, text))
			fail_msg("a wrong result is not seen: %s", text);
		n++;
	}
	assert_int_equal(pclose(lines), 0);
	run("rm -r %s", dir);
	assert_true(n > 500);
	assert_int_equal(wrong, 0);
	arena_release(&w.a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_results)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
