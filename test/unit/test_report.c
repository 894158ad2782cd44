/* test_report.c - reports of a small program: what is shown at which level,
 * what a report needs of the sources, and identities that outlive edits. */
#include "unit.h"

#include "base/file.h"
#include "base/json.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

typedef struct Fixture {
	Arena arena;
	Diag diag;
	char *dir, *source;
	ReportInput in;
} Fixture;

/* Two races: on g, plain, and on v, volatile.  Lines of `source` are at
 * `first`, so that text can be put above them. */
static const char *
program(Fixture *f, u32 first)
{
	static const char text[] = "global @g size 4 !\"%s\":%u:5\nglobal @v size 4\n"
				   "fn @w(%%arg: ptr) -> ptr !\"%s\":%u:1 {\n"
				   "\tstore @g, i32 1 !%u:3\n"
				   "\tstore.volatile @v, i32 1 !%u:3\n"
				   "\tret null\n}\n"
				   "fn @main() -> int !\"%s\":%u:1 {\n\t%%h = alloc.stack 8\n"
				   "\t%%a = fork %%h, @w, null if zero !%u:2\n"
				   "\t%%b = fork %%h, @w, null if zero !%u:2\n"
				   "\tret 0\n}\n"
				   "assumption \"inline assembly ignored\" @main\n";
	const char *s = f->source;

	return arena_printf(&f->arena, text, s, first, s, first, first + 1, first + 2, s, first + 3,
			    first + 4, first + 5);
}

static const char lines[] = "int g;\n\t g =\t1;\n  v = 1; /* \xff */\n}\nfork a\nfork b";

static void
write_source(Fixture *f, const char *above)
{
	const char *text = arena_printf(&f->arena, "%s%s", above, lines), *error;

	assert_true(file_write(&f->arena, f->source, text, strlen(text), &error));
}

static void
analyse(Fixture *f, u32 first)
{
	static const char *const inputs[] = {"a.c"};
	Ir *ir = arena_new(&f->arena, Ir);
	PtaOptions pta = {0};
	ConcOptions conc = {.jobs = 1};
	RaceOptions race = {0};
	const char *text = program(f, first);

	ir_init(ir, &f->arena);
	assert_true(ir_parse(ir, "report.ir", text, strlen(text), &f->diag));
	assert_null(ir_check(ir));
	f->in = (ReportInput){.diag = &f->diag, .inputs = inputs, .ninputs = 1, .version = "9.9"};
	f->in.level = RUNG_POSSIBLE;
	f->in.races = race_find(
	    &f->arena,
	    conc_solve(&f->arena, pta_solve(&f->arena, ir, ir_find_fn(ir, "main"), &pta), &conc),
	    &race);
}

static int
setup(void **state)
{
	Fixture *f = calloc(1, sizeof *f);
	const char *error;

	arena_init(&f->arena, NULL);
	diag_init(&f->diag, &f->arena, NULL);
	assert_true(file_temp_dir(&f->arena, &f->dir, &error));
	f->source = file_join(&f->arena, f->dir, "a.c");
	write_source(f, "");
	analyse(f, 1);
	*state = f;
	return 0;
}

static int
teardown(void **state)
{
	Fixture *f = *state;

	file_remove_tree(f->dir);
	diag_release(&f->diag);
	arena_release(&f->arena);
	free(f);
	return 0;
}

static const char *
print(Fixture *f, void (*report)(const ReportInput *, FILE *))
{
	char *text;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	const char *copy;

	report(&f->in, to);
	fclose(to);
	copy = arena_strdup(&f->arena, text);
	free(text);
	return copy;
}

static const JsonVal *
parse(Fixture *f, const char *text)
{
	const char *error = NULL;
	const JsonVal *v = json_parse(&f->arena, text, strlen(text), &error);

	if (!v)
		fail_msg("%s", error);
	return v;
}

static void
test_text(void **state)
{
	Fixture *f = *state;
	const char *t = print(f, report_text);

	assert_non_null(strstr(t, "a.c:2:3: "));
	assert_non_null(strstr(t, "data race on 'g' ["));
	assert_non_null(strstr(t, "      2 | \t g =\t1;\n        | \t ^\n"));
	assert_non_null(strstr(t, "possible only (volatile)"));
	assert_non_null(strstr(t, "holding no locks"));
	assert_non_null(strstr(t, "inline assembly ignored in main"));
	assert_non_null(strstr(t, "2 races found"));
	assert_null(strstr(t, "\033"));
	f->in.color = true;
	assert_non_null(strstr(print(f, report_text), "\033[1;"));
}

static void
test_level(void **state)
{
	Fixture *f = *state;

	assert_int_equal(report_shown(&f->in), 2);
	f->in.level = RUNG_LIKELY;
	assert_int_equal(report_shown(&f->in), 1);
	assert_null(strstr(print(f, report_text), "'v'"));
	assert_non_null(strstr(print(f, report_text), "1 more below --level likely"));
	assert_int_equal(json_get(parse(f, print(f, report_json)), "races")->n, 1);
	f->in.level = RUNG_CONFIRMED;
	assert_int_equal(report_shown(&f->in), 0);
	assert_int_equal(json_get(parse(f, print(f, report_json)), "races")->n, 0);
}

static void
test_json(void **state)
{
	Fixture *f = *state;
	const JsonVal *top, *race, *pair, *side;

	diag_error(&f->diag, "b.c", "does not compile");
	top = parse(f, print(f, report_json));
	assert_string_equal(json_get_str(top, "tool"), "concord");
	assert_string_equal(json_get_str(top, "version"), "9.9");
	race = &json_get(top, "races")->items[0];
	assert_string_equal(json_get_str(json_get(race, "location"), "name"), "g");
	assert_string_equal(json_get_str(json_get(race, "location"), "kind"), "global");
	assert_int_equal(json_get_i64(json_get(race, "location"), "line", 0), 1);
	assert_int_equal(strlen(json_get_str(race, "id")), 16);
	pair = &json_get(race, "pairs")->items[0];
	assert_int_equal(json_get(pair, "folded_under")->kind, JSON_NULL);
	side = json_get(pair, "first");
	assert_string_equal(json_get_str(side, "kind"), "write");
	assert_string_equal(json_get_str(side, "function"), "w");
	assert_int_equal(json_get_i64(side, "line", 0), 2);
	assert_int_equal(json_get(side, "path")->n, 1);
	assert_int_equal(json_get(top, "threads")->n, 3);
	assert_string_equal(json_get_str(&json_get(top, "assumptions")->items[0], "text"),
			    "inline assembly ignored");
	assert_string_equal(json_get_str(&json_get(top, "errors")->items[0], "file"), "b.c");
	assert_int_equal(json_get_i64(json_get(top, "stages"), "original", 0), 10);
}

static void
test_sarif(void **state)
{
	Fixture *f = *state;
	const JsonVal *run, *first;

	diag_error(&f->diag, "b.c", "does not compile");
	run = &json_get(parse(f, print(f, report_sarif)), "runs")->items[0];
	assert_int_equal(json_get(run, "results")->n, 2);
	first = &json_get(run, "results")->items[0];
	assert_string_equal(json_get_str(json_get(first, "partialFingerprints"), "concordRace/v2"),
			    f->in.races->races.at[0].id);
	assert_int_equal(json_get(first, "codeFlows")->n, 2);
	run = &json_get(run, "invocations")->items[0];
	assert_false(json_get(run, "executionSuccessful")->truth);
	assert_int_equal(json_get(run, "toolExecutionNotifications")->n, 2);
}

/* Without its source a report has no lines, and is a report all the same. */
static void
test_no_source(void **state)
{
	Fixture *f = *state;

	file_remove_tree(f->source);
	analyse(f, 1);
	assert_null(strstr(print(f, report_text), " | "));
	assert_non_null(strstr(print(f, report_text), "data race on 'g'"));
	parse(f, print(f, report_json));
	parse(f, print(f, report_sarif));
}

/* The same race has the same id after lines were put above it and its white
 * space changed; other text on its line makes it another race. */
static void
test_identity(void **state)
{
	Fixture *f = *state;
	char old[2][17];

	memcpy(old[0], f->in.races->races.at[0].id, 17);
	memcpy(old[1], f->in.races->races.at[1].id, 17);
	assert_string_not_equal(old[0], old[1]);
	write_source(f, "/* above */\n\n");
	analyse(f, 3);
	assert_string_equal(f->in.races->races.at[0].id, old[0]);
	assert_string_equal(f->in.races->races.at[1].id, old[1]);
	f->source = file_join(&f->arena, f->dir, "moved.c");
	write_source(f, "");
	analyse(f, 1);
	assert_string_equal(f->in.races->races.at[0].id, old[0]);
	write_source(f, "one line\n");
	analyse(f, 1); /* now on other lines of the text */
	assert_string_not_equal(f->in.races->races.at[0].id, old[0]);
}

static void
test_color(void **state)
{
	FILE *to = tmpfile();

	(void)state;
	assert_false(report_wants_color(to));
	fclose(to);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
	    TEST(test_text),
	    TEST(test_level),
	    TEST(test_json),
	    TEST(test_sarif),
	    TEST(test_no_source),
	    TEST(test_identity),
	    cmocka_unit_test(test_color),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
