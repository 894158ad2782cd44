/* test_model_parse.c - a message for every mistake in a model file. */
#include "model_case.h"

#include "base/file.h"

static void
expect_error(const char *text, u32 line, u32 col, const char *message)
{
	Case c;
	bool ok;

	case_begin(&c);
	ok = models_parse(c.models, "t.model", text, strlen(text), &c.diag);
	if (ok || c.diag.msgs.n != 1)
		fail_msg("%u messages for: %s", c.diag.msgs.n, text);
	assert_string_equal(c.diag.msgs.at[0].text, message);
	assert_string_equal(c.diag.msgs.at[0].file, "t.model");
	assert_int_equal(c.diag.msgs.at[0].line, line);
	assert_int_equal(c.diag.msgs.at[0].col, col);
	case_end(&c);
}

static void
test_heads(void **state)
{
	(void)state;
	expect_error("f", 1, 2, "expected '(', found the end of the file");
	expect_error("\n\nf\n", 3, 2, "expected '(', found the end of the line");
	expect_error("(a): nothing\n", 1, 1, "expected a function's name, found '('");
	expect_error("f(1): nothing\n", 1, 3, "expected a parameter's name or '...', found '1'");
	expect_error("f(a: nothing\n", 1, 4, "expected ')', found ':'");
	expect_error("f(..., a): nothing\n", 1, 6, "expected ')', found ','");
	expect_error("f(a) nothing\n", 1, 6,
		     "expected ':' or the end of the line, found 'nothing'");
	expect_error("f(a)\n", 1, 1, "a rule without an effect; write 'nothing' if there is none");
	expect_error("f(a):\n", 1, 6, "expected an effect, found the end of the line");
	expect_error("\tnothing\n", 1, 2, "an indented line that belongs to no rule");
	expect_error("f(a): nothing\nf(b): nothing\n", 2, 1, "'f' already has a rule in line 1");
	expect_error("f, g, : nothing\n", 1, 7, "expected a function's name, found ':'");
	expect_error("f(a): nothing ?\n", 1, 15, "expected ';' or the end of the line, found '?'");
	expect_error("f(a): nothing \x80\n", 1, 15,
		     "expected ';' or the end of the line, found byte 0x80");
}

static void
test_effects(void **state)
{
	(void)state;
	expect_error("f(a): lock a\n", 1, 7, "'lock' is not an effect");
	expect_error("f(a): free b\n", 1, 12, "'b' is neither a parameter nor a declared global");
	expect_error("f(a): free\n", 1, 11, "expected a value, found the end of the line");
	expect_error("f(a): acquire a\n", 1, 15, "expected 'write' or 'read', found 'a'");
	expect_error("f(a): acquire write a on\n", 1, 25,
		     "expected 'zero', 'nonzero', 'null', 'nonnull', 'negative', 'positive', "
		     "'nonnegative' or 'nonpositive', found the end of the line");
	expect_error("f(a): acquire write a on zero if found\n", 1, 34,
		     "expected 'checked', found 'found'");
	expect_error("f(a): fork a\n", 1, 13, "expected '(', found the end of the line");
	expect_error("f(a): fork a() width 4\n", 1, 23, "a width is between 8 and 512 bits");
	expect_error("f(a): join a result a\n", 1, 21, "expected 'to', found 'a'");
	expect_error("f(a): signal a\n", 1, 14,
		     "expected 'sem', 'cond', 'barrier', 'once', 'queue' or 'future', found 'a'");
	expect_error("f(a): wait a\n", 1, 13, "expected 'with', found the end of the line");
	expect_error("f(a): read a\n", 1, 13, "expected 'at', found the end of the line");
	expect_error("f(a): read *a at a\n", 1, 12,
		     "expected a number of bytes, 'any', 'string', 'word' or 'item', found '*'");
	expect_error("f(a): read a*a*a*a at a\n", 1, 18, "a product of more than three factors");
	expect_error("f(a): copy a to a\n", 1, 14, "expected 'from', found 'to'");
	expect_error("f(a): load a\n", 1, 13, "expected 'order', found the end of the line");
	expect_error("f(a): fence order b\n", 1, 19,
		     "expected 'relaxed', 'acquire', 'release', 'acq_rel' or 'seq_cst', found 'b'");
	expect_error("f(a): cas a from a\n", 1, 19, "expected 'to', found the end of the line");
	expect_error("f(a): return a or b\n", 1, 19,
		     "'b' is neither a parameter nor a declared global");
	expect_error("f(a): allocate 8 to a or a\n", 1, 26, "expected 'null', found 'a'");
	expect_error("f(a): free a + \"func\"\n", 1, 16,
		     "expected \"a type.a member\", found a string");
	expect_error("f(a): free a + a\n", 1, 16,
		     "expected a number of bytes behind '+', found 'a'");
	expect_error("f(a): assumption text\n", 1, 18, "expected a string, found 'text'");
	expect_error("f(a): assumption \"text\n", 1, 18,
		     "expected a string, found a string without its closing '\"'");
	expect_error("f(a): free *********a\n", 1, 20, "a value nested too deeply");
}

static void
test_meaning(void **state)
{
	(void)state;
	expect_error("f(a): free ...\n", 1, 12, "'...' in an effect of a function without '...'");
	expect_error("f(a): free result\n", 1, 12, "'result' before the effect that makes it");
	expect_error("f(a): return a; return a\n", 1, 17,
		     "two effects that make the call's result");
	expect_error("f(...): return ...\n", 1, 9,
		     "'...' in the effect that makes the result or ends the call");
	expect_error("f(a): exit; free a\n", 1, 13, "an effect behind the one that ends the call");
	expect_error("f(a): call a() maybe at end\n", 1, 12,
		     "'at end' for a call that is not of the library's own objects");
	expect_error("global g 8\nf(a): call *g(into a) at end\n", 2, 12,
		     "'at end' for a call that is not of the library's own objects");
	expect_error("global g 8\nf(a): call *g() at once\n", 2, 20,
		     "expected 'end', found 'once'");
	expect_error("global g 1\nf(a): hold write g\n", 2, 7, "'hold' belongs to a 'wrap' rule");
	expect_error("f(a): free a if b\n", 1, 17, "expected a parameter's name, found 'b'");
	expect_error("f(a): return a if a\n", 1, 20,
		     "'if' behind the effect that makes the result or ends the call");
}

static void
test_objects(void **state)
{
	(void)state;
	expect_error("global g\n", 1, 9, "expected its size in bytes, found the end of the line");
	expect_error("global g 1 f\n", 1, 12,
		     "expected what it is, in quotes, or the end of the line, found 'f'");
	expect_error("global g 1\nthread g 1\n", 2, 8, "'g' is already declared differently");
	expect_error("global g 1\nwrap f*: acquire write g\n", 2, 10,
		     "expected 'hold', found 'acquire'");
	expect_error("wrap f*: hold write g\n", 1, 21,
		     "'g' is neither a parameter nor a declared global");
	expect_error("global g 1\nwrap f*: hold write g on zero\n", 2, 6,
		     "what a wrap rule holds has no condition");
	expect_error("global g 1\nwrap f*: hold write (g + 1)\n", 2, 6,
		     "a wrap rule holds a declared global");
	expect_error("fact a b\n", 1, 8, "expected the end of the line, found 'b'");
	expect_error("fact a if b\n", 1, 11, "expected \"a type.a member\", found 'b'");
	expect_error("f(a): prove a if a is 1\n", 1, 13, "expected a declared fact, found 'a'");
	expect_error("fact b\nf(a): refute b if b is 1\n", 2, 19,
		     "expected a parameter's name, found 'b'");
	expect_error("fact b\nf(a): release a recursive when c\n", 2, 32,
		     "expected a declared fact, found 'c'");
	expect_error("wrap f* hold\n", 1, 9, "expected ':', found 'hold'");
}

/* Each wrong rule is told of, and the right ones between them count. */
static void
test_goes_on(void **state)
{
	static const char text[] =
	    "f(a): lock a\n\tnonsense\ng(a): nothing\nh(a): free b\nglobal\n";
	Case c;

	(void)state;
	case_begin(&c);
	assert_false(models_parse(c.models, "t.model", text, strlen(text), &c.diag));
	assert_int_equal(c.diag.msgs.n, 3);
	assert_int_equal(c.diag.msgs.at[0].line, 1);
	assert_int_equal(c.diag.msgs.at[1].line, 4);
	assert_int_equal(c.diag.msgs.at[2].line, 5);
	assert_int_equal(models_count(c.models), 1);
	case_end(&c);
}

static void
test_too_many(void **state)
{
	Case c;
	const char *text = "";

	(void)state;
	case_begin(&c);
	for (u32 k = 0; k < 50; k++)
		text = arena_printf(&c.a, "%sf%u(a): lock a\n", text, k);
	assert_false(models_parse(c.models, "t.model", text, strlen(text), &c.diag));
	assert_int_equal(c.diag.msgs.n, 21);
	assert_string_equal(c.diag.msgs.at[20].text, "too many mistakes: the rest is not read");
	case_end(&c);
}

static void
test_layout(void **state)
{
	Case c;

	(void)state;
	case_begin(&c);
	case_model(&c,
		   "# comment\r\nf(a): nothing # more\n\n\ng,\n\th,\ni(a)\n  nothing\n\n\tnothing\n"
		   "global(x): nothing\nwrap(x): nothing\noverride(x): nothing\n"
		   "override, thread(x, y): nothing\nlast(a): free a");
	assert_int_equal(models_count(c.models), 9);
	assert_int_equal(c.diag.msgs.n, 0);
	case_end(&c);
}

static void
test_hash(void **state)
{
	Case c, d;

	(void)state;
	case_begin(&c);
	case_begin(&d);
	case_model(&c, "f(a): nothing\n");
	case_model(&d, "f(a): nothing\n");
	assert_true(models_hash(c.models) == models_hash(d.models));
	case_model(&c, "g(a): nothing\n");
	case_model(&d, "h(a): nothing\n");
	assert_false(models_hash(c.models) == models_hash(d.models));
	case_end(&c);
	case_end(&d);
}

static void
test_files(void **state)
{
	Case c;
	const char *error;
	char *dir;

	(void)state;
	case_begin(&c);
	assert_false(models_load_file(c.models, "/nonexistent/x.model", &c.diag));
	assert_false(models_load_dir(c.models, "/nonexistent", &c.diag));
	assert_int_equal(c.diag.errors, 2);
	assert_true(file_temp_dir(&c.a, &dir, &error));
	assert_false(models_load_dir(c.models, dir, &c.diag));
	assert_string_equal(c.diag.msgs.at[2].text, "no model files in this directory");
	assert_true(
	    file_write(&c.a, file_join(&c.a, dir, "b.model"), "g(a): nothing\n", 14, &error));
	assert_true(
	    file_write(&c.a, file_join(&c.a, dir, "a.model"), "f(a): nothing\n", 14, &error));
	assert_true(file_write(&c.a, file_join(&c.a, dir, "readme"), "no rules\n", 9, &error));
	assert_true(models_load_dir(c.models, dir, &c.diag));
	assert_int_equal(models_count(c.models), 2);
	file_remove_tree(dir);
	case_end(&c);
}

/* Any bytes are read to their end, with messages at most. */
static void
test_random(void **state)
{
	static const char *const piece[] = {
	    "f",   "(",    ")",    ",",      ":",  ";",  "*",    "+",      "...",  "\n", "\n\t",
	    "on",  "zero", "a",    "global", "1",  "#",  "\"",   "thread", "wrap", " ",  "into",
	    "any", "read", "free", "call",   "at", "\0", "hold", "write",  "fork", "if", "return"};
	Rand r = {7};

	(void)state;
	for (u32 round = 0; round < 3000; round++) {
		Case c;
		const char *text = "f(a): ";
		case_begin(&c);
		for (u32 k = rand_below(&r, 30); k--;)
			text = arena_printf(&c.a, "%s%s%s", text, rand_below(&r, 4) ? " " : "",
					    piece[rand_below(&r, COUNT(piece))]);
		if (models_parse(c.models, "t.model", text, strlen(text), &c.diag))
			assert_int_equal(c.diag.errors, 0);
		else
			assert_int_not_equal(c.diag.errors, 0);
		case_end(&c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_heads),   cmocka_unit_test(test_effects),
	    cmocka_unit_test(test_meaning), cmocka_unit_test(test_objects),
	    cmocka_unit_test(test_goes_on), cmocka_unit_test(test_too_many),
	    cmocka_unit_test(test_layout),  cmocka_unit_test(test_hash),
	    cmocka_unit_test(test_files),   cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
