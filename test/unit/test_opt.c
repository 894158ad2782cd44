/* test_opt.c - one table makes the struct, the defaults, the parser, the help. */
#include "unit.h"

#include "base/opt.h"

#include <stdlib.h>
#include <string.h>

enum { CHECK = 1, INFER = 2 };

#define OPTIONS(X)                                                                                 \
	X(GROUP, char, group_1, 0, 0, "Output", NULL, NULL, 0)                                        \
	X(GROUP, char, group_2, 0, 0, "Not here", NULL, NULL, CHECK)                               \
	X(BOOL, bool, stats, false, 's', "stats", "", "print counts", 0)                           \
	X(BOOL, bool, color, true, 'c', "color", "", "paint", 0)                                   \
	X(STR, const char *, output, NULL, 'o', "output", "FILE", "write to FILE", 0)              \
	X(U32, u32, jobs, 2, 'j', "jobs", "N", "worker threads", 0)                                \
	X(SIZE, u64, memory, 0, 0, "memory-limit", "SIZE",                                         \
	  "stop when more than SIZE bytes of memory are in use, and say what is known so far", 0)  \
	X(ENUM, u32, level, 1, 0, "level", "possible|likely|definite", "least rung", CHECK)        \
	X(LIST, OptList, model, {0}, 0, "model", "FILE", "more models", CHECK)

typedef struct Options {
#define FIELD(kind, type, field, ...) type field;
	OPTIONS(FIELD)
#undef FIELD
} Options;

#define DEFAULT(kind, type, field, value, ...) .field = value,
static const Options defaults = {OPTIONS(DEFAULT)};
#undef DEFAULT

#define SPEC(kind, type, field, value, letter, name, arg, help, where)                             \
	{OPT_##kind, letter, name, arg, help, offsetof(Options, field), where},
static const OptSpec specs[] = {OPTIONS(SPEC)};
#undef SPEC

typedef struct Case {
	Arena a;
	Options o;
	OptRest rest;
	const char *error;
} Case;

/* Reads the words of line, which are separated by single spaces. */
static bool
parse(Case *c, u32 command, const char *line)
{
	OptTable t = {specs, COUNT(specs), command};
	Vec(char *) argv = {0};

	arena_init(&c->a, NULL);
	c->o = defaults;
	c->error = NULL;
	while (*line) {
		size_t n = strcspn(line, " ");
		vec_push(&c->a, &argv, arena_dup(&c->a, line, n));
		line += n + (line[n] == ' ');
	}
	return opt_parse(&t, &c->o, argv.n, argv.at, &c->a, &c->rest, &c->error);
}

static void
forms(void **state)
{
	Case c;

	(void)state;
	assert_true(parse(&c, CHECK, "a.c --output=x --jobs 7 -s --no-color --level definite b.c"));
	assert_string_equal(c.o.output, "x");
	assert_int_equal(c.o.jobs, 7);
	assert_true(c.o.stats && !c.o.color);
	assert_int_equal(c.o.level, 2);
	assert_int_equal(c.rest.args.n, 2);
	assert_string_equal(c.rest.args.at[1], "b.c");
	assert_false(c.rest.dashes);
	arena_release(&c.a);
	assert_true(parse(&c, CHECK, "-o x -j4 -sc --model a --model=b - -- -m32 --jobs"));
	assert_string_equal(c.o.output, "x");
	assert_int_equal(c.o.jobs, 4);
	assert_true(c.o.stats && c.o.color);
	assert_int_equal(c.o.model.n, 2);
	assert_string_equal(c.o.model.at[1], "b");
	assert_string_equal(c.rest.args.at[0], "-");
	assert_true(c.rest.dashes && c.rest.n_after == 2);
	assert_string_equal(c.rest.after[0], "-m32");
	arena_release(&c.a);
	assert_true(parse(&c, CHECK, "--output="));
	assert_string_equal(c.o.output, "");
	assert_int_equal(c.o.level, 1);
	arena_release(&c.a);
}

static void
mistakes(void **state)
{
	static const char *const cases[][2] = {
	    {"--stat", "unknown option --stat; did you mean --stats?"},
	    {"--ouptut x", "unknown option --ouptut; did you mean --output?"},
	    {"--xyzzy", "unknown option --xyzzy"},
	    {"--no-output", "unknown option --no-output; did you mean --output?"},
	    {"--stats=1", "--stats takes no value"},
	    {"-x", "unknown option -x"},
	    {"--jobs", "--jobs needs a value: N"},
	    {"-o", "--output needs a value: FILE"},
	    {"--jobs=two", "--jobs takes a number, not 'two'"},
	    {"--jobs=-1", "--jobs takes a number, not '-1'"},
	    {"--jobs=4294967296", "--jobs takes a number, not '4294967296'"},
	    {"--memory-limit 5X", "--memory-limit takes a size such as 512M, not '5X'"},
	    {"--level likly", "--level does not take 'likly'; did you mean likely?"},
	    {"--level x", "--level takes possible|likely|definite, not 'x'"},
	};
	Case c;

	(void)state;
	for (u32 i = 0; i < COUNT(cases); i++) {
		assert_false(parse(&c, CHECK, cases[i][0]));
		assert_string_equal(c.error, cases[i][1]);
		arena_release(&c.a);
	}
	assert_false(parse(&c, INFER, "--level likely"));
	assert_string_equal(c.error, "unknown option --level");
	arena_release(&c.a);
}

static void
sizes(void **state)
{
	u64 n;

	(void)state;
	assert_true(opt_size("0", &n) && n == 0);
	assert_true(opt_size("17", &n) && n == 17);
	assert_true(opt_size("3K", &n) && n == 3072);
	assert_true(opt_size("512m", &n) && n == (u64)512 << 20);
	assert_true(opt_size("2G", &n) && n == (u64)2 << 30);
	assert_true(opt_size("18446744073709551615", &n) && n == UINT64_MAX);
	assert_false(opt_size("18446744073709551616", &n));
	assert_false(opt_size("18446744073709551615K", &n));
	assert_false(opt_size("16777216T", &n));
	assert_false(opt_size("", &n));
	assert_false(opt_size("K", &n));
	assert_false(opt_size("1KB", &n));
	assert_false(opt_size(" 1", &n));
}

static void
help(void **state)
{
	OptTable t = {specs, COUNT(specs), INFER};
	size_t n;
	char *text;
	FILE *to = open_memstream(&text, &n);

	(void)state;
	opt_help(&t, to);
	fclose(to);
	assert_string_equal(
	    text, "\nOutput:\n"
		  "  -s, --stats                 print counts\n"
		  "  -c, --color                 paint\n"
		  "  -o, --output FILE           write to FILE\n"
		  "  -j, --jobs N                worker threads\n"
		  "      --memory-limit SIZE     stop when more than SIZE bytes of memory are in\n"
		  "                              use, and say what is known so far\n");
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(forms),
	    cmocka_unit_test(mistakes),
	    cmocka_unit_test(sizes),
	    cmocka_unit_test(help),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
