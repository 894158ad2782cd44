/* test_ir_check.c - broken programs, each with what ir_check says of it.
 *
 * Where the text form can say it, the program is text; what it cannot say is
 * broken by hand after reading. */
#include "test_ir.h"

static const struct {
	const char *text, *part;
} broken[] = {
    /* operands and results */
    {"fn @f() {\n %x = load\n ret\n}\n", "load has 0 operands"},
    {"fn @f() {\n %x = add 1, 2, 3\n ret\n}\n", "bin has 3 operands"},
    {"fn @f() {\n load null\n ret\n}\n", "load needs a result"},
    {"fn @f() {\n %x = store null, 1\n ret\n}\n", "store has no result"},
    {"fn @f() {\n store none, 1\n ret\n}\n", "operand 0 of store is missing"},
    {"fn @f() {\n fork none, none\n ret\n}\n", "operand 1 of fork is missing"},
    {"fn @f(%p) {\n %p = add 1, 2\n ret\n}\n", "it defines parameter 1"},
    {"fn @f() {\n %x = add 1, 2\n %x = add 1, 2\n ret\n}\n", "register 1 "},
    {"fn @f() {\n %x:i8 = add i32 1, 2\n ret\n}\n", "another width"},
    {"fn @f() {\n %x:f32 = add i32 1, 2\n ret\n}\n", "another type"},
    {"fn @f() {\n store i64 null, i32 5\n ret\n}\n", "a store of 64 bits of a value of 32"},
    /* details */
    {"fn @f() {\n fence\n ret\n}\n", "a fence needs a memory order"},
    {"fn @f() {\n %x = add.acq 1, 2\n ret\n}\n", "bin has no memory order"},
    {"fn @f() {\n acquire @f if zero\n ret\n}\n", "needs a result to look at"},
    {"fn @f() {\n %x = load null if zero\n ret\n}\n", "load has no condition"},
    {"fn @f() {\n %x = load null imm 3\n ret\n}\n", "load uses no imm"},
    {"fn @f() {\n %x = load.handle null\n ret\n}\n", "only a fork"},
    {"fn @f() {\n %x = alloc.heap 4 type t9\n ret\n}\n", "there is no type t9"},
    {"fn @f() {\n %x = field.java null + 0 in f7\n ret\n}\n", "there is no field f7"},
    {"fn @f() {\n cinit class c4\n ret\n}\n", "there is no class c4"},
    {"fn @f() {\n call.virtual @f()\n ret\n}\n", "names its method"},
    {"fn @f() {\n call @f() method \"m\"\n ret\n}\n", "names its method"},
    {"fn @f() {\n extern \"\"()\n ret\n}\n", "extern needs a name"},
    {"fn @f() {\n store null, 1 type t1\n ret\n}\n", "store uses no aux"},
    /* blocks */
    {"fn @f() {\na:\n br a\n}\n", "the entry has a predecessor"},
    {"fn @f() {\na: exc a\n ret\n}\n", "the entry has a predecessor"},
    {"fn @f() {\na:\n br b, b\nb:\n ret\n}\n", "br has 2 successors"},
    {"fn @f() {\na:\n cbr 1, b\nb:\n ret\n}\n", "cbr has 1 successors"},
    {"fn @f() {\na:\n ret b\nb:\n ret\n}\n", "ret has 1 successors"},
    /* phis */
    {"fn @f() {\na:\n br b\nb:\n %x = add 1, 2\n %y = phi [a: 1]\n ret\n}\n", "a phi behind"},
    {"fn @f() {\na:\n br b\nb:\n %y = phi [b: 1]\n ret\n}\n", "which is no predecessor"},
    {"fn @f() {\na:\n br b\nb:\n %y = phi [a: 1], [a: 1]\n ret\n}\n",
     "which is no predecessor or has one"},
    {"fn @f(%c) {\na:\n cbr %c, b, d\nb:\n br d\nd:\n %y = phi [a: 1]\n ret\n}\n",
     "1 entries for 2 predecessors"},
    {"fn @f() {\na:\n br b\nb:\n %y = phi [a: none]\n ret\n}\n", "phi has no value for b1"},
    {"fn @f() {\na:\n %y = phi [a: 1]\n ret\n}\n", "a phi in the entry"},
    /* definitions and uses */
    {"fn @f() {\n %y = add %x, 1\n %x = add 1, 2\n ret\n}\n", "used before its definition"},
    {"fn @f() {\n dead %x\nb:\n ret %x\n}\n", "used but never defined"},
    {"fn @f(%c) {\na:\n cbr %c, b, d\nb:\n %x = add 1, 2\n br d\nd:\n ret %x\n}\n",
     "does not dominate"},
    {"fn @f(%c) {\na:\n cbr %c, b, d\nb:\n %x = add 1, 2\n br d\nd:\n %y = phi [a: %x], [b: %x]\n "
     "ret\n}\n",
     "does not dominate"},
    {"fn @f() {\na:\n br b\nb: exc h\n call.throws @f()\n %x = add 1, 2\n ret\nh:\n ret %x\n}\n",
     "does not dominate"},
    {"fn @f() {\na:\n br b\nb: exc h\n %x = call.throws @f()\n ret\nh:\n %y = phi [b: %x]\n "
     "ret\n}\n",
     "does not dominate"},
    /* types, globals, functions, classes */
    {"type t1 = struct size 8 { 0: t1 \"self\" }\n", "contains itself by value"},
    {"type t1 = struct size 8 { 0: t2 \"a\" }\ntype t2 = array size 8 elem t1 count 1\n",
     "contains itself by value"},
    {"type t1 = struct size 8 { 0: t0 \"a\" }\n", "member 0 has no type"},
    {"type t1 = int size 4\ntype t2 = struct size 8 { 9: t1 \"a\" }\n",
     "member 0 lies behind its end"},
    {"type t1 = array size 8\n", "an array needs an element type"},
    {"type t1 = ptr elem t5\n", "no element type t5"},
    {"global @g size 4 = {0: i64 1}\n", "initialiser 0 lies behind its end"},
    {"global @g size 4 = {8: i8 1}\n", "initialiser 0 lies behind its end"},
    {"global @g size 4 = {0: none}\n", "initialiser 0 is no constant"},
    {"global decl @g size 4 = {0: 1}\n", "a declaration has no initialiser"},
    {"global @g type t3\n", "there is no type t3"},
    {"global alias @g\n", "an alias, and only that"},
    {"global alias @g alias @h\nglobal alias @h alias @g\n", "an alias of itself"},
    {"fn alias @f() alias @f\n", "an alias of itself"},
    {"fn @f()\n", "defined but has no body"},
    {"fn decl @f() {\n ret\n}\n", "a declaration or alias has no body"},
    {"fn @f() class c2 {\n ret\n}\n", "there is no class c2"},
    {"class c1 = \"A\" super c1 { }\n", "inherits from itself"},
    {"class c1 = \"A\" super c2 { }\nclass c2 = \"B\" { iface c1 }\n", "inherits from itself"},
    {"class c1 = \"A\" super c9 { }\n", "superclass or initialiser"},
    {"class c1 = \"A\" { iface c3 }\n", "interface 0 does not exist"},
    {"class c1 = \"A\" { field f1: t4 \"x\" }\n", "no name or type"},
    {"assumption \"\"\n", "assumption 1"},
};

static void
broken_programs_are_refused(void **state)
{
	(void)state;
	for (u32 k = 0; k < COUNT(broken); k++) {
		Bench b;
		Ir ir;
		const char *wrong;
		bench_init(&b);
		bench_parse(&b, &ir, "broken.ir", broken[k].text);
		wrong = ir_check(&ir);
		if (!wrong || !strstr(wrong, broken[k].part))
			fail_msg("%s: %s", broken[k].text, wrong ? wrong : "accepted");
		bench_release(&b);
	}
}

static const char sound[] = "type t1 = int \"int\" size 4\n"
			    "class c1 = \"A\" {\n	field f1: t1 \"x\"\n	method @f\n}\n"
			    "global @g size 8 = {0: i64 1}\n"
			    "fn @f(%c) {\n"
			    "a:\n	%x = add %c, 1\n	cbr 1, b, d\n"
			    "b:\n	br d\n"
			    "d:\n	%y = phi [a: %x], [b: 7]\n	ret %y\n}\n";

/* Damage that the text form has no words for. */
static void
break_it(Ir *ir, u32 how)
{
	Fn *f = &ir->fns.at[1];
	Ins *add = &ir->ins.at[f->ins];
	ConstId one = ir->consts.n - 1;

	switch (how) {
	case 0: add->op = OP_COUNT; break;
	case 1: add->op = OP_NONE; break;
	case 2: add->arg = ir->args.n - 1; break;
	case 3: ir->args.at[add->arg] = VAL_CONST | ir->consts.n; break;
	case 4: ir->args.at[add->arg] = 99; break;
	case 5: add->sub = BIN_COUNT; break;
	case 6: add->order = ORDER_COUNT; break;
	case 7: add->cond = 8; break;
	case 8: add->src = ir->srcs.n; break;
	case 9: add->dst = VAL_CONST | 1; break;
	case 10: ir->regs.at[f->reg + 2].def++; break;
	case 11: ir->regs.at[f->reg + 1].def = f->ins; break;
	case 12: ir->regs.at[f->reg + 2].rt = 77; break;
	case 13: f->nins--; break;
	case 14: ir->blocks.at[f->block + 1].nins = 0; break;
	case 15: ir->blocks.at[f->block].ins++; break;
	case 16: ir->blocks.at[f->block].exc = 9; break;
	case 17: ir->succs.at[ir->blocks.at[f->block].succ] = 0; break;
	case 18: ir->blocks.at[f->block].succ = ir->succs.n; break;
	case 19: f->nreg = 1u << 31; break;
	case 20: f->reg = UINT32_MAX; break;
	case 21: f->block = UINT32_MAX; break;
	case 22: f->name = 0; break;
	case 23: f->pretty = 1000; break;
	case 24: f->linkage = 9; break;
	case 25: f->ret = 9; break;
	case 26: f->src = ir->srcs.n; break;
	case 27: ir->consts.at[one].kind = 99; break;
	case 28: ir->consts.at[one].ref = 1; break;
	case 29: ir->consts.at[one].width = 65; break;
	case 30:
		ir->consts.at[one].width = 2;
		ir->consts.at[one].num = 7;
		break;
	case 31: ir->ptr_bytes = 3; break;
	case 32: ir->srcs.at[1].file = 0; break;
	case 33: ir->globals.at[1].init = ir->inits.n; break;
	case 34: ir->globals.at[1].linkage = 200; break;
	case 35: ir->types.at[1].kind = 200; break;
	case 36: ir->types.at[1].nmember = 5; break;
	case 37: ir->fields.at[1].class = 0; break;
	case 38: ir->classes.at[1].nfield = 0; break;
	case 39: ir->refs.at[ir->classes.at[1].method] = 0; break;
	case 40: ir->unit = 1u << 30; break;
	case 41: add->narg = UINT32_MAX; break;
	case 42: f->nparam = 9; break;
	case 43: ir->ins.at[f->ins + f->nins - 2].narg--; break; /* phi */
	default: fail();
	}
}

static void
broken_tables_are_refused(void **state)
{
	(void)state;
	for (u32 how = 0; how < 44; how++) {
		Bench b;
		Ir ir;
		bench_init(&b);
		bench_parse(&b, &ir, "sound.ir", sound);
		bench_check(&ir);
		break_it(&ir, how);
		if (!ir_check(&ir))
			fail_msg("damage %u is accepted", how);
		bench_release(&b);
	}
}

/* What must be accepted: each is close to something broken. */
static const char *const good[] = {
    /* defined before what may throw, used in the handler */
    "fn @f() {\na:\n br b\nb: exc h\n %x = add 1, 2\n call.throws @f()\n ret\nh:\n ret %x\n}\n",
    "fn @f() {\na:\n br b\nb: exc h\n %x = add 1, 2\n %z = call.throws @f()\n ret\nh:\n %y = phi "
    "[b: %x]\n ret\n}\n",
    /* a loop: a phi may use what comes after it */
    ("fn @f(%n) {\na:\n br h\nh:\n %i = phi [a: 0], [h: %j]\n %j = add %i, 1\n %c = slt %j, %n\n"
     " cbr %c, h, o\no:\n ret %j\n}\n"),
    /* in code that is never reached nothing has to dominate */
    "fn @f() {\na:\n ret\nb:\n %y = add %x, 1\n br c\nc:\n %x = add %y, 1\n br b\n}\n",
    /* one entry for a predecessor with two edges */
    "fn @f(%c) {\na:\n cbr %c, b, b\nb:\n %y = phi [a: 1]\n ret\n}\n",
    "type t1 = struct size 8 { 0: t2 \"next\" }\ntype t2 = ptr size 8 elem t1\n",
    "fn @f(%h) {\n %r = fork.handle @f, @f\n %s:i32 = fork i64 @f, @f if zero\n ret\n}\n",
};

static void
sound_programs_are_accepted(void **state)
{
	(void)state;
	for (u32 k = 0; k < COUNT(good); k++) {
		Bench b;
		Ir ir;
		bench_init(&b);
		bench_parse(&b, &ir, "good.ir", good[k]);
		bench_check(&ir);
		bench_release(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(broken_programs_are_refused),
	    cmocka_unit_test(broken_tables_are_refused),
	    cmocka_unit_test(sound_programs_are_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
