/* What bytecode becomes: subroutines, monitors, handlers, locals, names,
 * references and inherited members. */
#include "jvm_case.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
	Arena a;
	Asm m;
	Ir *ir;
} Case;

static void
begin(Case *c)
{
	arena_init(&c->a, NULL);
	c->m = (Asm){.a = &c->a};
}

/* Lowers the class A that c has assembled; every body must be good. */
static void
lower(Case *c)
{
	size_t n;
	u32 bad;
	const char *why;
	const u8 *bytes = asm_class_file(&c->m, "A", "java/lang/Object", &n);

	c->ir = case_lower(&c->a, bytes, n, &bad, &why);
	if (!c->ir || bad)
		fail_msg("%s", why);
}

static const char *
text_of(Case *c, const char *fn)
{
	char *text = NULL, *copy;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	FnId f = ir_find_fn(c->ir, fn);

	if (!f)
		fail_msg("no function %s", fn);
	ir_print_fn(c->ir, f, to);
	fclose(to);
	copy = arena_strdup(&c->a, text);
	free(text);
	return copy;
}

static u32
count(const char *text, const char *word)
{
	u32 n = 0;

	for (const char *s = text; (s = strstr(s, word)); s += strlen(word))
		n++;
	return n;
}

static void
has(const char *text, const char *word)
{
	if (!strstr(text, word))
		fail_msg("no '%s' in\n%s", word, text);
}

static const Block *
block_with(const Case *c, const char *fn, Op op)
{
	const Fn *f = &c->ir->fns.at[ir_find_fn(c->ir, fn)];

	for (BlockId b = 1; b <= f->nblock; b++) {
		const Block *x = fn_block(c->ir, f, b);
		for (u32 k = 0; k < x->nins; k++)
			if (ir_ins(c->ir, x->ins + k)->op == op)
				return x;
	}
	fail_msg("no such instruction");
	return NULL;
}

/* ---- control -------------------------------------------------------------- */

/* n += 5 in a subroutine that is called twice: each call has its own copy. */
static void
test_subroutine(void **state)
{
	Case c;
	const char *text;

	(void)state;
	begin(&c);
	asm_method(&c.m, ACC_STATIC, "f", "(I)I", 1, 2,
		   CODE(J_JSR, U2(8), J_JSR, U2(5), J_ILOAD_0, J_IRETURN, J_ASTORE, 1, J_IINC, 0, 5,
			J_RET, 1));
	asm_method(&c.m, ACC_STATIC, "wide", "(I)I", 1, 2,
		   CODE(J_JSR_W, 0, 0, 0, 7, J_ILOAD_0, J_IRETURN, J_WIDE, J_ASTORE, 0, 1, J_WIDE,
			J_IINC, 0, 0, 1, 0, J_WIDE, J_RET, 0, 1));
	lower(&c);
	text = text_of(&c, "A.f(I)I");
	assert_int_equal(count(text, " = add"), 2);
	assert_int_equal(count(text, "phi"), 0);
	has(text, "%2 = add %1, 5");
	has(text, "%3 = add %2, 5");
	has(text, "ret %3");
	has(text_of(&c, "A.wide(I)I"), "%2 = add %1, 256");
	arena_release(&c.a);
}

/* A subroutine that is left by a jump, and one within another. */
static void
test_nested_subroutine(void **state)
{
	Case c;

	(void)state;
	begin(&c);
	/* 0: jsr 7; 3: iload_0; ireturn; 5: nop nop; 7: astore_1; jsr 14; ret 1;
	 * 13: nop; 14: astore_2; iinc 0 1; ret 2 */
	asm_method(&c.m, ACC_STATIC, "f", "(I)I", 1, 3,
		   CODE(J_JSR, U2(7), J_ILOAD_0, J_IRETURN, J_NOP, J_NOP, J_ASTORE_3 - 2, J_JSR,
			U2(6), J_RET, 1, J_NOP, J_ASTORE_3 - 1, J_IINC, 0, 1, J_RET, 2));
	asm_method(&c.m, ACC_STATIC, "left", "(I)I", 1, 2,
		   CODE(J_JSR, U2(4), J_NOP, J_POP, J_ILOAD_0, J_IRETURN));
	/* 0: iload_0; ifeq 15; iinc 0 -1; jsr 11; 10: nop; 11: pop; goto 0; 15: iload_0; ireturn */
	asm_method(&c.m, ACC_STATIC, "again", "(I)I", 1, 1,
		   CODE(J_ILOAD_0, J_IFEQ, U2(14), J_IINC, 0, 255, J_JSR, U2(4), J_NOP, J_POP,
			J_GOTO, U2(-12), J_ILOAD_0, J_IRETURN));
	lower(&c);
	has(text_of(&c, "A.f(I)I"), "%2 = add %1, 1");
	has(text_of(&c, "A.f(I)I"), "ret %2");
	has(text_of(&c, "A.left(I)I"), "ret %1");
	assert_int_equal(count(text_of(&c, "A.again(I)I"), " = add"), 2);
	assert_int_equal(count(text_of(&c, "A.again(I)I"), "phi"), 1);
	arena_release(&c.a);
}

/* The handler covers its own monitorexit, as javac writes it. */
static void
test_monitor(void **state)
{
	Case c;
	AsmHandler h[] = {{2, 7, 10, 0}, {10, 13, 10, 0}};
	u16 f;
	const char *text;

	(void)state;
	begin(&c);
	f = asm_member(&c.m, CP_METHOD, "B", "f", "()V");
	c.m.handlers = h;
	c.m.nhandler = 2;
	/* 0 aload_0 monitorenter; 2 invokestatic; 5 aload_0 monitorexit; 7 goto 15;
	 * 10 astore_1; 11 aload_0; 12 monitorexit; 13 aload_1; 14 athrow; 15 return */
	asm_method(&c.m, ACC_STATIC, "f", "(LA;)V", 1, 2,
		   CODE(J_ALOAD_3 - 3, J_MONITORENTER, J_INVOKESTATIC, U2(f), J_ALOAD_3 - 3,
			J_MONITOREXIT, J_GOTO, U2(8), J_ASTORE_3 - 2, J_ALOAD_3 - 3, J_MONITOREXIT,
			J_ALOAD_3 - 2, J_ATHROW, J_RETURN));
	lower(&c);
	text = text_of(&c, "A.f(LA;)V");
	assert_int_equal(count(text, "acquire.rec %1"), 1);
	assert_int_equal(count(text, "release.rec %1"), 2);
	/* one block has a handler: that of the call; what follows the release has none */
	assert_int_equal(count(text, ": exc "), 1);
	assert_int_equal(block_with(&c, "A.f(LA;)V", OP_THROW)->exc, 0);
	arena_release(&c.a);
}

static void
test_synchronized(void **state)
{
	Case c;
	u16 f;
	const char *text;

	(void)state;
	begin(&c);
	f = asm_member(&c.m, CP_METHOD, "B", "f", "()I");
	asm_method(&c.m, ACC_SYNCHRONIZED, "f", "()I", 1, 1,
		   CODE(J_INVOKESTATIC, U2(f), J_IRETURN));
	asm_method(&c.m, ACC_SYNCHRONIZED | ACC_STATIC, "s", "()V", 1, 1, CODE(J_RETURN));
	lower(&c);
	text = text_of(&c, "A.f()I");
	assert_int_equal(count(text, "acquire.rec %this"), 1);
	assert_int_equal(count(text, "release.rec %this"), 2);
	assert_int_equal(count(text, ": exc "), 1);
	has(text, "= nondet.caught ptr");
	has(text_of(&c, "A.s()V"), "acquire.rec class c");
	arena_release(&c.a);
}

/* x = 1; x = f(); g(x): the handler sees 1, or what f gave. */
static void
test_handler_values(void **state)
{
	Case c;
	AsmHandler h[] = {{2, 10, 10, 0}};
	u16 f;
	const char *text;

	(void)state;
	begin(&c);
	f = asm_member(&c.m, CP_METHOD, "B", "f", "()I");
	c.m.handlers = h;
	c.m.nhandler = 1;
	asm_method(&c.m, ACC_STATIC, "f", "()I", 1, 1,
		   CODE(J_ICONST_0 + 1, J_ISTORE_0, J_INVOKESTATIC, U2(f), J_ISTORE_0,
			J_INVOKESTATIC, U2(f), J_IRETURN, J_POP, J_ILOAD_0, J_IRETURN));
	lower(&c);
	text = text_of(&c, "A.f()I");
	assert_int_equal(count(text, ": exc "), 2);
	assert_int_equal(count(text, "= phi "), 1);
	has(text, ": 1]");
	arena_release(&c.a);
}

/* A local that is a number on one path and an object on the other is dead
 * where they meet, and so is one that nobody reads. */
static void
test_dead_locals(void **state)
{
	Case c;

	(void)state;
	begin(&c);
	asm_method(&c.m, ACC_STATIC, "f", "(I)I", 1, 3,
		   CODE(J_ILOAD_0, J_IFEQ, U2(10), J_ICONST_0 + 1, J_ISTORE_0 + 1, J_ICONST_0 + 2,
			J_ISTORE_0 + 2, J_GOTO, U2(7), J_ACONST_NULL, J_ASTORE_3 - 2,
			J_ICONST_0 + 3, J_ISTORE_0 + 2, J_ILOAD_0, J_IRETURN));
	lower(&c);
	assert_int_equal(count(text_of(&c, "A.f(I)I"), "phi"), 0);
	arena_release(&c.a);
}

/* What was used once is not null; in a handler nothing is known of what comes
 * behind the exception. */
static void
test_once(void **state)
{
	Case c;
	AsmHandler h[] = {{0, 7, 7, 0}};
	u16 v, f, s;
	const char *text;

	(void)state;
	begin(&c);
	v = asm_member(&c.m, CP_FIELD, "B", "v", "I");
	f = asm_member(&c.m, CP_METHOD, "B", "f", "()V");
	s = asm_member(&c.m, CP_FIELD, "C", "s", "I");
	asm_method(&c.m, ACC_STATIC, "f", "(LB;)I", 2, 1,
		   CODE(J_ALOAD_3 - 3, J_GETFIELD, U2(v), J_ALOAD_3 - 3, J_GETFIELD, U2(v), J_IADD,
			J_IRETURN));
	c.m.handlers = h;
	c.m.nhandler = 1;
	asm_method(&c.m, ACC_STATIC, "g", "()I", 1, 0,
		   CODE(J_INVOKESTATIC, U2(f), J_GETSTATIC, U2(s), J_IRETURN, J_POP, J_GETSTATIC,
			U2(s), J_IRETURN));
	asm_method(&c.m, ACC_STATIC, "h", "()I", 2, 0,
		   CODE(J_GETSTATIC, U2(s), J_GETSTATIC, U2(s), J_IADD, J_IRETURN));
	lower(&c);
	text = text_of(&c, "A.f(LB;)I");
	assert_int_equal(count(text, "load.throws"), 1);
	assert_int_equal(count(text, "= load %"), 1);
	assert_int_equal(count(text_of(&c, "A.g()I"), "cinit class"), 3);
	assert_int_equal(count(text_of(&c, "A.h()I"), "cinit class"), 1);
	arena_release(&c.a);
}

/* ---- names and references ------------------------------------------------- */

static const char *
pretty(const char *class, const char *method)
{
	static char text[128];
	NameBuf b = {0};
	Arena a;

	arena_init(&a, NULL);
	name_pretty_method(&a, &b, (JStr){class, (u32)strlen(class)},
			   (JStr){method, (u32)strlen(method)});
	snprintf(text, sizeof text, "%.*s", (int)b.n, b.at);
	arena_release(&a);
	return text;
}

static void
test_names(void **state)
{
	(void)state;
	assert_string_equal(pretty("a/b/C", "run"), "a.b.C.run");
	assert_string_equal(pretty("a/b/C$D", "run"), "a.b.C.D.run");
	assert_string_equal(pretty("a/b/C$1", "run"), "a.b.C$1.run");
	assert_string_equal(pretty("C", "<init>"), "new C");
	assert_string_equal(pretty("a/C$D", "<clinit>"), "static initialiser of a.C.D");
	assert_string_equal(pretty("a/C", "lambda$run$12"), "lambda in a.C.run");
	assert_string_equal(pretty("a/C", "lambda$new$0"), "lambda in new a.C");
	assert_string_equal(pretty("a/C", "lambda$static$0"),
			    "lambda in static initialiser of a.C");
	assert_string_equal(pretty("a/C", "lambda$"), "a.C.lambda$");
	assert_string_equal(pretty("[I", "clone"), "int[].clone");
	assert_string_equal(pretty("[[La/B$C;", "clone"), "a.B.C[][].clone");
}

static bool
has_ref(const JvmUnit *u, const Ir *ir, JvmRefKind kind, const char *class, const char *name)
{
	u32 n;
	const JvmRef *r = jvm_refs(u, &n);

	for (u32 k = 0; k < n; k++)
		if (r[k].kind == kind && !strcmp(ir_str(ir, r[k].class), class) &&
		    (!name || !strcmp(ir_str(ir, r[k].name), name)))
			return true;
	return false;
}

static void
test_references(void **state)
{
	Case c;
	ClassFile file;
	Ir ir;
	JvmUnit *u;
	const char *why;
	const u8 *bytes;
	size_t n;
	u16 k, init, st, virt;
	u32 nref;

	(void)state;
	begin(&c);
	k = asm_class(&c.m, "p/K");
	init = asm_member(&c.m, CP_METHOD, "p/K", "<init>", "()V");
	st = asm_member(&c.m, CP_METHOD, "p/S", "s", "(Lp/K;)Lp/K;");
	virt = asm_member(&c.m, CP_IMETHOD, "p/I", "i", "()V");
	asm_method(&c.m, ACC_STATIC, "f", "()V", 2, 0,
		   CODE(J_NEW, U2(k), J_DUP, J_INVOKESPECIAL, U2(init), J_INVOKESTATIC, U2(st),
			J_INVOKEINTERFACE, U2(virt), 1, 0, J_ICONST_0, J_ANEWARRAY, U2(k), J_POP,
			J_RETURN));
	bytes = asm_class_file(&c.m, "A", "p/Up", &n);
	ir_init(&ir, &c.a);
	u = jvm_unit_new(&ir);
	assert_true(class_parse(&file, &c.a, bytes, n, &why) && jvm_declare(u, &file, &why));
	assert_true(has_ref(u, &ir, JVM_REF_CLASS, "p.Up", NULL));
	assert_true(jvm_lower_method(u, &file, 0, &why));
	assert_true(has_ref(u, &ir, JVM_REF_NEW, "p.K", NULL));
	assert_true(has_ref(u, &ir, JVM_REF_INIT, "p.K", NULL));
	assert_true(has_ref(u, &ir, JVM_REF_INIT, "p.S", NULL));
	assert_true(has_ref(u, &ir, JVM_REF_SPECIAL, "p.K", "<init>()V"));
	assert_true(has_ref(u, &ir, JVM_REF_STATIC, "p.S", "s(Lp/K;)Lp/K;"));
	assert_true(has_ref(u, &ir, JVM_REF_VIRTUAL, "p.I", "i()V"));
	assert_true(has_ref(u, &ir, JVM_REF_CLASS, "p.K", NULL)); /* the array's */
	/* a second time there is nothing to do */
	assert_true(jvm_lower_method(u, &file, 0, &why));
	(void)jvm_refs(u, &nref);
	assert_int_equal(nref, 0);
	assert_int_equal(jvm_fn(u, &file, 0), ir_find_fn(&ir, "A.f()V"));
	arena_release(&c.a);
}

/* ---- a whole program ------------------------------------------------------ */

static void
add_class(Case *c, JvmUnit *u, Asm *m, const char *name, const char *super)
{
	ClassFile *f = arena_new(&c->a, ClassFile);
	size_t n;
	const u8 *bytes = asm_class_file(m, name, super, &n);
	const char *why = "";

	if (!class_parse(f, &c->a, bytes, n, &why) || jvm_lower_class(u, f))
		fail_msg("%s", why);
}

/* B extends A, which declares volatile and final fields, a static one and a
 * method; C uses all of them by B's name. */
static void
test_inherited(void **state)
{
	Case c;
	Asm b, d;
	JvmUnit *u;
	u16 v, s, m;
	const char *text;

	(void)state;
	begin(&c);
	b = d = c.m;
	c.ir = arena_new(&c.a, Ir);
	ir_init(c.ir, &c.a);
	u = jvm_unit_new(c.ir);
	v = asm_member(&d, CP_FIELD, "B", "v", "I");
	s = asm_member(&d, CP_FIELD, "B", "s", "I");
	m = asm_member(&d, CP_METHOD, "B", "m", "()V");
	asm_method(&d, ACC_STATIC, "f", "(LB;)I", 2, 1,
		   CODE(J_INVOKESTATIC, U2(m), J_ALOAD_3 - 3, J_GETFIELD, U2(v), J_GETSTATIC, U2(s),
			J_IADD, J_IRETURN));
	add_class(&c, u, &d, "C", "java/lang/Object");
	asm_field(&c.m, ACC_VOLATILE, "v", "I");
	asm_field(&c.m, ACC_VOLATILE | ACC_STATIC, "s", "I");
	asm_method(&c.m, ACC_STATIC, "m", "()V", 0, 0, CODE(J_RETURN));
	asm_method(&c.m, ACC_STATIC, "<clinit>", "()V", 0, 0, CODE(J_RETURN));
	add_class(&c, u, &b, "B", "A");
	add_class(&c, u, &c.m, "A", "java/lang/Object");
	jvm_unit_finish(u);
	assert_null(ir_check(c.ir));
	jvm_resolve(c.ir);
	assert_null(ir_check(c.ir));
	text = text_of(&c, "C.f(LB;)I");
	has(text, "@\"A.m()V\"()");
	has(text, "load.seq_cst.throws %");
	has(text, "load.seq_cst @A.s");
	assert_int_equal(count(text, "cinit class"), 1);
	arena_release(&c.a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_subroutine),     cmocka_unit_test(test_nested_subroutine),
	    cmocka_unit_test(test_monitor),        cmocka_unit_test(test_synchronized),
	    cmocka_unit_test(test_handler_values), cmocka_unit_test(test_dead_locals),
	    cmocka_unit_test(test_names),          cmocka_unit_test(test_references),
	    cmocka_unit_test(test_inherited),      cmocka_unit_test(test_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
