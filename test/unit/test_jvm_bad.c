/* Malformed class files: each is refused with one reason, or lowered to a
 * program that ir_check passes; never a crash. */
#include "jvm_case.h"

#include <stdio.h>

typedef struct Case {
	Arena a;
	Asm m;
} Case;

static void
begin(Case *c)
{
	arena_init(&c->a, NULL);
	c->m = (Asm){.a = &c->a};
}

/* The class is refused, for a reason with these words. */
static void
refused(Case *c, const u8 *bytes, size_t n, const char *words)
{
	u32 bad;
	const char *why;

	assert_null(case_lower(&c->a, bytes, n, &bad, &why));
	assert_non_null(why);
	if (!strstr(why, words))
		fail_msg("'%s' instead of '%s'", why, words);
	arena_release(&c->a);
}

/* One body is refused, for a reason with these words. */
static void
body_refused(Case *c, const char *words)
{
	u32 bad;
	const char *why;
	size_t n;
	const u8 *bytes = asm_class_file(&c->m, "A", "java/lang/Object", &n);

	assert_non_null(case_lower(&c->a, bytes, n, &bad, &why));
	assert_int_equal(bad, 1);
	if (!strstr(why, words))
		fail_msg("'%s' instead of '%s'", why, words);
	arena_release(&c->a);
}

static void
test_wrong_body(const char *desc, u16 stack, u16 locals, size_t n, const u8 *code,
		const char *words)
{
	Case c;

	begin(&c);
	asm_method(&c.m, ACC_STATIC, "f", desc, stack, locals, n, code);
	body_refused(&c, words);
}

static void
test_control(void **state)
{
	(void)state;
	test_wrong_body("()V", 0, 0, CODE(J_GOTO, U2(-5)), "leaves the body");
	test_wrong_body("()V", 0, 0, CODE(J_GOTO, U2(9), J_RETURN), "leaves the body");
	test_wrong_body("()V", 1, 0, CODE(J_BIPUSH, 1, J_GOTO, U2(-1)), "into an instruction");
	test_wrong_body("()V", 1, 0, CODE(J_NOP), "runs off the end");
	test_wrong_body("()V", 1, 0, CODE(J_ICONST_0, J_IFEQ, U2(-1)), "runs off the end");
	test_wrong_body("()V", 1, 0, CODE(J_COUNT), "malformed");
	test_wrong_body("()V", 1, 0, CODE(J_SIPUSH, 1), "malformed");
	test_wrong_body("()V", 1, 1, CODE(J_WIDE, J_NOP, 0, 0), "malformed");
	test_wrong_body(
	    "()V", 1, 0,
	    CODE(J_ICONST_0, J_TABLESWITCH, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 127, 0, 0, 0, J_RETURN),
	    "malformed");
	test_wrong_body("()V", 1, 0,
			CODE(J_ICONST_0, J_LOOKUPSWITCH, 0, 0, 0, 0, 0, 20, 255, 0, 0, 0, J_RETURN),
			"malformed");
	/* a subroutine that calls itself and keeps where to return to, and a return address that is none */
	test_wrong_body("()V", 9, 1, CODE(J_JSR, U2(3), J_JSR, U2(0), J_RETURN),
			"different depths");
	test_wrong_body("()V", 1, 1, CODE(J_ICONST_0, J_ISTORE_0, J_RET, 0), "no value");
}

static void
test_values(void **state)
{
	(void)state;
	test_wrong_body("()V", 1, 0, CODE(J_POP, J_RETURN), "underflows");
	test_wrong_body("()V", 1, 0, CODE(J_ICONST_0, J_ICONST_0, J_RETURN), "overflows");
	test_wrong_body("()I", 2, 0, CODE(J_LCONST_0, J_IRETURN), "another type");
	test_wrong_body("()I", 2, 0, CODE(J_ICONST_0, J_LCONST_0, J_IADD, J_IRETURN),
			"another type");
	test_wrong_body("()V", 2, 0, CODE(J_LCONST_0, J_POP, J_RETURN), "half of a long");
	test_wrong_body("()V", 1, 1, CODE(J_ILOAD_0, J_RETURN), "no value");
	test_wrong_body("()V", 1, 1, CODE(J_ILOAD, 7, J_RETURN), "out of range");
	test_wrong_body("(J)V", 1, 2, CODE(J_ICONST_0, J_ISTORE_0 + 1, J_ILOAD_0 + 4, J_RETURN),
			"no value");
	test_wrong_body("(III)V", 1, 2, CODE(J_RETURN), "do not fit");
	test_wrong_body("()I", 1, 0, CODE(J_RETURN), "another type than the method");
	test_wrong_body("()V", 1, 0, CODE(J_ICONST_0, J_ATHROW), "no reference");
	test_wrong_body("()V", 1, 0, CODE(J_LDC, 99, J_RETURN), "no constant");
	test_wrong_body("()V", 1, 0, CODE(J_NEW, 0, 1, J_RETURN), "no class");
	test_wrong_body("()V", 1, 0, CODE(J_INVOKESTATIC, 0, 1, J_RETURN), "no method");
	test_wrong_body("()V", 1, 0, CODE(J_GETSTATIC, 0, 1, J_RETURN), "no field");
	test_wrong_body("()V", 1, 0, CODE(J_INVOKEDYNAMIC, 0, 1, 0, 0, J_RETURN),
			"no dynamic call");
	/* int on one path, long on the other; and different depths */
	test_wrong_body(
	    "(I)V", 2, 1,
	    CODE(J_ILOAD_0, J_IFEQ, U2(7), J_ICONST_0, J_GOTO, U2(4), J_LCONST_0, J_NOP, J_RETURN),
	    "do not merge");
	test_wrong_body("(I)V", 2, 1, CODE(J_ILOAD_0, J_IFEQ, U2(4), J_ICONST_0, J_RETURN),
			"different depths");
}

/* What was a method before is no field now. */
static void
test_mixed(void **state)
{
	Case c;
	u16 f;

	(void)state;
	begin(&c);
	f = asm_member(&c.m, CP_METHOD, "B", "f", "()I");
	asm_method(&c.m, ACC_STATIC, "good", "()I", 1, 0, CODE(J_INVOKESTATIC, U2(f), J_IRETURN));
	asm_method(&c.m, ACC_STATIC, "bad", "()I", 1, 0, CODE(J_GETSTATIC, U2(f), J_IRETURN));
	body_refused(&c, "no field");

	begin(&c);
	f = asm_member(&c.m, CP_FIELD, "B", "f", "I");
	asm_method(&c.m, ACC_STATIC, "good", "()I", 1, 0, CODE(J_GETSTATIC, U2(f), J_IRETURN));
	asm_method(&c.m, ACC_STATIC, "bad", "()I", 1, 0, CODE(J_INVOKESTATIC, U2(f), J_IRETURN));
	body_refused(&c, "no method");
}

static void
test_handlers(void **state)
{
	AsmHandler backwards = {2, 1, 0, 0}, far = {0, 1, 9, 0}, no_class = {0, 1, 0, 1};
	AsmHandler *all[] = {&backwards, &far, &no_class};
	const char *words[] = {"out of range", "out of range", "catches no class"};

	(void)state;
	for (u32 k = 0; k < COUNT(all); k++) {
		Case c;
		begin(&c);
		c.m.handlers = all[k];
		c.m.nhandler = 1;
		asm_method(&c.m, ACC_STATIC, "f", "()V", 1, 1, CODE(J_NOP, J_NOP, J_RETURN));
		body_refused(&c, words[k]);
	}
	for (u32 k = 0; k < 2; k++) {
		Case c;
		AsmHandler array = {0, 1, 0, 0};
		begin(&c);
		array.type = asm_class(&c.m, k ? "[" : "[LE;");
		c.m.handlers = &array;
		c.m.nhandler = 1;
		asm_method(&c.m, ACC_STATIC, "f", "()V", 1, 1, CODE(J_NOP, J_NOP, J_RETURN));
		body_refused(&c, "catches an array");
	}
}

static void
test_pool(void **state)
{
	Case c;
	size_t n;
	const u8 *bytes;

	(void)state;
	begin(&c);
	asm_one(&c.m, CP_CLASS, 1); /* its name is itself */
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "constant 1");

	begin(&c);
	asm_two(&c.m, CP_NAME_TYPE, 2, 2);
	asm_two(&c.m, CP_NAME_TYPE, 1, 1); /* a circle */
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "constant 1");

	begin(&c);
	asm_utf8(&c.m, "\xc3(");
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "constant 1");

	begin(&c);
	asm_one(&c.m, 99, 1);
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "unknown tag");

	begin(&c);
	asm_two(&c.m, CP_INVOKE_DYNAMIC, 7, 2);
	asm_two(&c.m, CP_NAME_TYPE, 3, 4);
	asm_utf8(&c.m, "run");
	asm_utf8(&c.m, "()V");
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "bootstrap method");
}

static void
test_class(void **state)
{
	Case c;
	size_t n;
	const u8 *bytes;

	(void)state;
	begin(&c);
	bytes = asm_class_file(&c.m, "A", "A", &n);
	refused(&c, bytes, n, "inherits from itself");

	begin(&c);
	bytes = asm_class_file(&c.m, "[A", "java/lang/Object", &n);
	refused(&c, bytes, n, "no proper name");

	begin(&c);
	c.m.major = 44;
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "version 44");

	begin(&c);
	asm_field(&c.m, 0, "x", "Q");
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "malformed descriptor");

	begin(&c);
	asm_field(&c.m, 0, "x", "I");
	asm_field(&c.m, 0, "x", "I");
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "two fields");

	begin(&c);
	asm_method(&c.m, ACC_STATIC, "f", "()V", 0, 0, CODE(J_RETURN));
	asm_method(&c.m, ACC_STATIC, "f", "()V", 0, 0, CODE(J_RETURN));
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "two methods");

	begin(&c);
	asm_method(&c.m, ACC_STATIC, "f", "(I", 0, 0, CODE(J_RETURN));
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	refused(&c, bytes, n, "malformed descriptor");
}

/* A is above B, and B above A: cut when the program is whole. */
static void
test_cycle(void **state)
{
	Arena a;
	Asm m = {.a = &a}, o = {.a = &a};
	ClassFile c, d;
	const char *why;
	const u8 *x, *y;
	size_t n, k;
	Ir ir;
	JvmUnit *u;

	(void)state;
	arena_init(&a, NULL);
	x = asm_class_file(&m, "A", "B", &n);
	y = asm_class_file(&o, "B", "A", &k);
	ir_init(&ir, &a);
	u = jvm_unit_new(&ir);
	assert_true(class_parse(&c, &a, x, n, &why) && jvm_declare(u, &c, &why));
	assert_true(class_parse(&d, &a, y, k, &why) && jvm_declare(u, &d, &why));
	jvm_unit_finish(u);
	assert_non_null(ir_check(&ir));
	jvm_resolve(&ir);
	assert_null(ir_check(&ir));
	assert_int_equal(ir.assumes.n, 2);
	assert_non_null(strstr(ir_str(&ir, ir.assumes.at[1].what), "inherits from itself"));
	arena_release(&a);
}

/* Bodies whose cost would be quadratic are refused, or done, in no time. */
static void
test_hostile(void **state)
{
	enum { HANDLERS = 8000, CODE_BYTES = 60000 };
	Case c;
	AsmHandler *h;
	u8 *code;
	const u8 *bytes;
	size_t n;
	u32 bad;
	const char *why;

	(void)state;
	begin(&c);
	h = arena_array(&c.a, AsmHandler, HANDLERS);
	code = arena_alloc(&c.a, CODE_BYTES);
	for (u32 k = 0; k < HANDLERS; k++) /* each of another class, around nearly all */
		h[k] = (AsmHandler){(u16)k, CODE_BYTES - 1, 0, asm_class(&c.m, "E")};
	for (u32 k = 0; k + 4 < CODE_BYTES; k += 4) /* many blocks */
		memcpy(code + k, (u8[]){J_NOP, J_GOTO, 0, 3}, 4);
	code[CODE_BYTES - 1] = J_RETURN;
	c.m.handlers = h;
	c.m.nhandler = HANDLERS;
	asm_method(&c.m, ACC_STATIC, "f", "()V", 1, 1, CODE_BYTES, code);
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	assert_non_null(case_lower(&c.a, bytes, n, &bad, &why));
	assert_int_equal(bad, 1);
	arena_release(&c.a);

	begin(&c);
	code = arena_alloc(&c.a, CODE_BYTES);
	for (u32 k = 0; k + 6 <= CODE_BYTES - 2; k += 6) /* many locals, many loops */
		memcpy(code + k, (u8[]){J_ILOAD_0, J_WIDE, J_ISTORE, (u8)(k >> 8), (u8)k, J_NOP},
		       6);
	for (u32 k = 600; k + 12 < CODE_BYTES; k += 600)
		memcpy(code + k, (u8[]){J_ILOAD_0, J_IFEQ, U2(-600), J_NOP, J_NOP}, 6);
	code[CODE_BYTES - 1] = J_RETURN;
	asm_method(&c.m, ACC_STATIC, "f", "(I)V", 1, 65535, CODE_BYTES, code);
	bytes = asm_class_file(&c.m, "A", "java/lang/Object", &n);
	assert_non_null(case_lower(&c.a, bytes, n, &bad, &why));
	arena_release(&c.a);
}

/* ---- changed bytes -------------------------------------------------------- */

static const char *const seeds[] = {"S", "enum", "record", "handlers"};

static u8 *
read_seed(Arena *a, u32 k, size_t *n)
{
	char *name = arena_printf(a, "test/fuzz/seed/class/%s.class", seeds[k]);
	FILE *f = fopen(name, "rb");
	u8 *bytes = arena_alloc(a, 1 << 16);

	if (!f)
		fail_msg("%s is not there", name);
	*n = fread(bytes, 1, 1 << 16, f);
	fclose(f);
	return bytes;
}

/* Lowers what the bytes are; says whether the class was taken. */
static bool
try(const u8 *bytes, size_t n)
{
	Arena a;
	u32 bad;
	const char *why;
	bool good;

	arena_init(&a, NULL);
	good = case_lower(&a, bytes, n, &bad, &why) && !bad;
	assert_true(good || why);
	arena_release(&a);
	return good;
}

static void
test_truncated(void **state)
{
	Arena a;
	size_t n;

	(void)state;
	arena_init(&a, NULL);
	for (u32 k = 0; k < COUNT(seeds); k++) {
		u8 *bytes = read_seed(&a, k, &n);
		assert_true(try(bytes, n));
		for (size_t cut = 0; cut < n; cut += cut < 64 ? 1 : 17)
			assert_false(try((const u8 *)arena_dup(&a, bytes, cut), cut));
	}
	arena_release(&a);
}

static void
test_flipped(void **state)
{
	Rand r = {7};
	Arena a;
	size_t n;
	u32 good = 0, all = 0;

	(void)state;
	arena_init(&a, NULL);
	for (u32 k = 0; k < COUNT(seeds); k++) {
		u8 *bytes = read_seed(&a, k, &n);
		for (u32 i = 0; i < 300; i++) {
			u32 at = rand_below(&r, (u32)n), bit = rand_below(&r, 8);
			bytes[at] ^= (u8)(1 << bit);
			good += try(bytes, n);
			bytes[at] ^= (u8)(1 << bit);
			all++;
		}
	}
	/* Some change only a name or a number; most do not get far. */
	assert_true(good > all / 20 && good < all);
	arena_release(&a);
}

static void
test_lying(void **state)
{
	Rand r = {11};
	Arena a;
	size_t n;

	(void)state;
	arena_init(&a, NULL);
	for (u32 k = 0; k < COUNT(seeds); k++) {
		u8 *bytes = read_seed(&a, k, &n);
		for (u32 i = 0; i < 200; i++) {
			u32 at = rand_below(&r, (u32)n - 4);
			u8 old[4];
			memcpy(old, bytes + at, 4);
			memset(bytes + at, i % 2 ? 0xff : 0, i % 4 < 2 ? 2 : 4);
			try(bytes, n);
			memcpy(bytes + at, old, 4);
		}
	}
	arena_release(&a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_control),   cmocka_unit_test(test_values),
	    cmocka_unit_test(test_handlers),  cmocka_unit_test(test_pool),
	    cmocka_unit_test(test_class),     cmocka_unit_test(test_cycle),
	    cmocka_unit_test(test_truncated), cmocka_unit_test(test_flipped),
	    cmocka_unit_test(test_lying),     cmocka_unit_test(test_mixed),
	    cmocka_unit_test(test_hostile),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
