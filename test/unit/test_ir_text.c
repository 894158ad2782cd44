/* test_ir_text.c - the text form: what is printed reads back as the same. */
#include "test_ir.h"

static void
expect_stable(Bench *b, const Ir *ir)
{
	char *first = bench_print(b, ir), *second;
	Ir again;

	bench_parse(b, &again, "again.ir", first);
	bench_check(&again);
	second = bench_print(b, &again);
	assert_string_equal(first, second);
}

/* Equal but for the order in which strings, constants and positions came. */
static void
expect_same_body(const Ir *x, const Ir *y)
{
	assert_int_equal(x->fns.n, y->fns.n);
	assert_int_equal(x->ins.n, y->ins.n);
	assert_int_equal(x->regs.n, y->regs.n);
	assert_int_equal(x->blocks.n, y->blocks.n);
	for (InsId i = 1; i < x->ins.n; i++) {
		const Ins *p = ir_ins(x, i), *q = ir_ins(y, i);
		assert_int_equal(p->op, q->op);
		assert_int_equal(p->sub, q->sub);
		assert_int_equal(p->order, q->order);
		assert_int_equal(p->flags, q->flags);
		assert_int_equal(p->rt, q->rt);
		assert_int_equal(p->cond, q->cond);
		assert_int_equal(p->width, q->width);
		assert_int_equal(p->dst, q->dst);
		assert_int_equal(p->narg, q->narg);
		assert_int_equal(p->imm, q->imm);
		assert_int_equal(p->site, q->site);
		for (u32 k = 0; k < p->narg; k++) {
			Val v = ins_arg(x, p, k), w = ins_arg(y, q, k);
			if (val_is_const(v) && p->op != OP_PHI)
				assert_memory_equal(ir_const(x, v), ir_const(y, w), sizeof(Const));
			else if (!val_is_const(v))
				assert_int_equal(v, w);
		}
	}
	for (u32 r = 1; r < x->regs.n; r++) {
		const Reg *p = &x->regs.at[r], *q = &y->regs.at[r];
		assert_int_equal(p->def, q->def);
		assert_int_equal(p->rt, q->rt);
		assert_int_equal(p->width, q->width);
		assert_string_equal(ir_str(x, p->name), ir_str(y, q->name));
	}
	for (u32 k = 1; k < x->blocks.n; k++)
		assert_memory_equal(&x->blocks.at[k], &y->blocks.at[k], sizeof(Block));
}

static void
random_round_trip(void **state)
{
	Rand r = {7};

	(void)state;
	for (u32 k = 0; k < 300; k++) {
		Bench b;
		Ir ir, again;
		bench_init(&b);
		ir_init(&ir, &b.arena);
		random_program(&ir, &r);
		bench_check(&ir);
		expect_stable(&b, &ir);
		bench_parse(&b, &again, "again.ir", bench_print(&b, &ir));
		expect_same_body(&ir, &again);
		bench_release(&b);
	}
}

static const char hand[] =
    "type t1 = int \"int\" size 4\n"
    "type t2 = struct \"struct job\" size 16 { 0: t1 \"id\"\n 8: t3 \"next\" }\n"
    "type t3 = ptr size 8 elem t2\n"
    "global @total type t1 ; a comment\n"
    "global internal @\"two words\" size 16 = {0: @total[4], 8: i64 -1}\n"
    "declare @puts(1) -> int\n"
    "fn @main(%n, %argv: ptr) -> int !\"main.c\":3:1 {\n"
    "	%h = alloc.stack 80 type t2\n"
    "	%x = load.acq.volatile i64 %h !7:2 #9\n"
    "	%low = trunc %x\n"
    "	%c = slt %low, %n\n"
    "	cbr %c, yes, no\n"
    "yes: exc handler\n"
    "	%r = fork %h, @main, null if zero\n"
    "	call.throws @puts(%argv)\n"
    "	br no\n"
    "no:\n"
    "	switch %n, no2 [1: no2,\n"
    "		2: out]\n"
    "no2:\n"
    "	ret 0\n"
    "handler:\n"
    "	throw\n"
    "out: exit\n"
    "}\n";

static void
defaults_are_filled_in(void **state)
{
	Bench b;
	Ir ir;
	const Fn *f;
	const Ins *i;

	(void)state;
	bench_init(&b);
	bench_parse(&b, &ir, "hand.ir", hand);
	bench_check(&ir);
	assert_string_equal(ir_str(&ir, ir.unit), "hand.ir");
	assert_int_equal(ir.globals.at[1].size, 4);
	f = &ir.fns.at[ir_find_fn(&ir, "main")];
	assert_int_equal(f->nparam, 2);
	assert_int_equal(f->nblock, 6);
	assert_int_equal(fn_reg(&ir, f, 1)->width, 32);
	assert_int_equal(fn_reg(&ir, f, 2)->rt, RT_PTR);
	i = ir_ins(&ir, f->ins + 1);
	assert_int_equal(i->op, OP_LOAD);
	assert_int_equal(i->order, ORDER_ACQUIRE);
	assert_int_equal(i->flags, INS_VOLATILE);
	assert_int_equal(i->width, 64);
	assert_int_equal(i->site, 9);
	assert_string_equal(ir_str(&ir, ir.srcs.at[i->src].file), "main.c");
	assert_int_equal(ir.srcs.at[i->src].line, 7);
	i = ir_ins(&ir, f->ins + 2);
	assert_int_equal(i->sub, CAST_TRUNC);
	assert_int_equal(i->imm, 64); /* from the operand */
	assert_string_equal(ir_str(&ir, ir.srcs.at[i->src].file), "hand.ir");
	assert_int_equal(ir.srcs.at[i->src].line, 11);
	i = ir_ins(&ir, f->ins + 5);
	assert_int_equal(i->op, OP_FORK);
	assert_int_equal(i->cond, SIGN_ZERO);
	assert_int_equal(i->width, 64);
	assert_int_equal(fn_reg(&ir, f, i->dst)->width, 32);
	expect_stable(&b, &ir);
	bench_release(&b);
}

static void
same_names_have_ids(void **state)
{
	static const char text[] = "unit none hash 0 ptr 4\n"
				   "global internal @n'g1 size 4 unit \"a.c\"\n"
				   "global internal @n'g2 size 4 unit \"b.c\"\n"
				   "fn @f(%x: i32, %x.2: i32) {\n"
				   "	%x.5 = add %x, %x.2\n"
				   "	%4 = load @n'g2\n"
				   "	%3 = load @n'g1\n"
				   "	ret %x.5\n"
				   "}\n";
	Bench b;
	Ir ir;
	const Fn *f;

	(void)state;
	bench_init(&b);
	bench_parse(&b, &ir, "n.ir", text);
	bench_check(&ir);
	f = &ir.fns.at[1];
	assert_int_equal(f->nreg, 5);
	assert_int_equal(ir_ins(&ir, f->ins)->dst, 5);
	assert_int_equal(ir_const(&ir, ins_arg(&ir, ir_ins(&ir, f->ins + 1), 0))->ref, 2);
	assert_int_equal(ir_const(&ir, ins_arg(&ir, ir_ins(&ir, f->ins + 1), 0))->width, 32);
	expect_stable(&b, &ir);
	bench_release(&b);
}

/* Each is a mistake, with where it is and a part of what is said of it. */
static const struct {
	const char *text;
	u32 line, col;
	const char *part;
} mistakes[] = {
    {"fn @f() {\n	%x = lod %p\n	ret\n}\n", 2, 7, "expected an instruction"},
    {"fn @f() {\n	%x = load.soon %p\n	ret\n}\n", 2, 12, "no variant"},
    {"fn @f() {\n	%x = add 1, 2\n}\n", 3, 1, "no end"},
    {"fn @f() {\n	ret\n	ret\n}\n", 3, 2, "behind the end"},
    {"fn @f() {\n	br there\n}\n", 2, 5, "no part of an instruction"},
    {"fn @f() {\n	cbr 1, a, b\na:\n	ret\n}\n", 2, 12, "expected a value"},
    {"fn @f() {\na:\n	br a\na:\n	ret\n}\n", 4, 1, "two blocks"},
    {"fn @f() {\n	%x.1 = add 1, 2\n	%y.1 = add 1, 2\n	ret\n}\n", 3, 2,
     "two names"},
    {"fn @f() {\n	%900000 = add 1, 2\n	ret\n}\n", 2, 2, "out of range"},
    {"fn @f(%2) {\n	ret\n}\n", 1, 7, "parameter 0 is register 1"},
    {"fn @f() {\n	store @nowhere, 1\n	ret\n}\n", 2, 8, "not defined"},
    {"global @g\nglobal @g\nfn @f() {\n	store @g, 1\n	ret\n}\n", 4, 8, "several"},
    {"global @g size\n", 2, 1, "expected a number"},
    {"global @g size 99999999999999999999\n", 1, 35, "64 bits"},
    {"type t2 = int\n", 1, 9, "numbered from t1"},
    {"type t1 = banana\n", 1, 11, "kind of type"},
    {"hello\n", 1, 1, "expected type, class"},
    {"global @g ? 5\n", 1, 11, "no meaning"},
    {"global @g pretty \"abc\n", 1, 22, "no end"},
    {"global @g pretty \"a\\zz\"\n", 1, 23, "hexadecimal"},
    {"unit \"a\" hash 1 ptr 5\n", 2, 1, "4 or 8"},
    {"fn @f() {\n	acquire @f if maybe\n	ret\n}\n", 2, 16, "expected neg"},
    {"fn @f(3) {\n	ret\n}\n", 2, 2, "names its parameters"},
    {"fn @f() {\n	%x = phi [\n	b1: 1]\n	ret\n}\n", 4, 6, ""},
};

static void
mistakes_are_located(void **state)
{
	(void)state;
	for (u32 k = 0; k < COUNT(mistakes); k++) {
		Bench b;
		Ir ir;
		const DiagMsg *m;
		bench_init(&b);
		assert_false(bench_try(&b, &ir, "bad.ir", mistakes[k].text));
		assert_int_equal(b.diag.msgs.n, 1);
		m = &b.diag.msgs.at[0];
		assert_string_equal(m->file, "bad.ir");
		if (*mistakes[k].part &&
		    (m->line != mistakes[k].line || m->col != mistakes[k].col ||
		     !strstr(m->text, mistakes[k].part)))
			fail_msg("%s%u:%u: %s", mistakes[k].text, m->line, m->col, m->text);
		bench_release(&b);
	}
}

/* Damaged text gets a message or reads as some other program: no crash. */
static void
damaged_text_does_no_harm(void **state)
{
	Rand r = {3};

	(void)state;
	for (u32 k = 0; k < 2000; k++) {
		Bench b;
		Ir ir;
		char text[sizeof hand];
		size_t n = sizeof hand - 1;
		memcpy(text, hand, sizeof hand);
		for (u32 j = 1 + rand_below(&r, 3); j; j--) {
			u32 at = rand_below(&r, (u32)n);
			if (rand_below(&r, 2))
				text[at] = hand[rand_below(&r, (u32)n)];
			else
				memmove(text + at, text + at + 1, n - at), n--;
		}
		bench_init(&b);
		ir_init(&ir, &b.arena);
		if (ir_parse(&ir, "hand.ir", text, n, &b.diag)) {
			if (!ir_check(&ir))
				expect_stable(&b, &ir);
		} else {
			assert_int_equal(b.diag.msgs.n, 1);
		}
		bench_release(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(random_round_trip),         cmocka_unit_test(defaults_are_filled_in),
	    cmocka_unit_test(same_names_have_ids),       cmocka_unit_test(mistakes_are_located),
	    cmocka_unit_test(damaged_text_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
