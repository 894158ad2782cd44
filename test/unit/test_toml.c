/* test_toml.c - the reader of settings: values, places of mistakes, and that
 * no prefix or changed byte of a text does more than fail with a message. */
#include "unit.h"

#include "base/toml.h"

#include <string.h>

static const char SAMPLE[] = "# comment\n"
			     "name = \"a\\tb\\\"\" # behind\n"
			     "path = 'C:\\x'\n"
			     "n = -1_000\r\n"
			     "list = [ 1, [true, false],\n\t'x', # inside\n]\n"
			     "[check]\n"
			     "\"quoted key\" = false\n";

static Arena arena;

static bool
parse(const char *text, Toml *out, u32 *line, const char **error)
{
	return toml_parse(&arena, text, strlen(text), out, line, error);
}

static void
test_values(void **state)
{
	const char *error;
	Toml t;
	u32 line;

	(void)state;
	arena_init(&arena, NULL);
	assert_true(parse(SAMPLE, &t, &line, &error));
	assert_int_equal(t.entries.n, 5);
	assert_string_equal(t.entries.at[0].val.str, "a\tb\"");
	assert_string_equal(t.entries.at[1].val.str, "C:\\x");
	assert_int_equal(t.entries.at[2].val.integer, -1000);
	assert_int_equal(t.entries.at[3].val.n, 3);
	assert_int_equal(t.entries.at[3].val.items[1].n, 2);
	assert_true(t.entries.at[3].val.items[1].items[0].truth);
	assert_string_equal(t.entries.at[3].val.items[2].str, "x");
	assert_string_equal(t.entries.at[4].table, "check");
	assert_string_equal(t.entries.at[4].key, "quoted key");
	assert_int_equal(t.entries.at[4].line, 9);
	arena_release(&arena);
}

/* A mistake is where it is said to be. */
static void
test_lines(void **state)
{
	const char *error;
	Toml t;
	u32 line;

	(void)state;
	arena_init(&arena, NULL);
	assert_false(parse("a = 1\n\n[x]\nb = [\n1,\n!]\n", &t, &line, &error));
	assert_int_equal(line, 6);
	assert_non_null(error);
	assert_false(toml_parse(&arena, "a = 1\0", 6, &t, &line, &error));
	arena_release(&arena);
}

static void
test_damage(void **state)
{
	static const char bytes[] = "\"'[]#=,\\\n\r{}.-_0";
	const char *error;
	Toml t;
	u32 line;

	(void)state;
	arena_init(&arena, NULL);
	for (size_t n = 0; n < sizeof SAMPLE; n++) {
		char *part = arena_dup(&arena, SAMPLE, n);

		error = NULL;
		assert_true(toml_parse(&arena, part, n, &t, &line, &error) || error);
		for (size_t k = 0; n + 1 < sizeof SAMPLE && k < sizeof bytes - 1; k++) {
			char *copy = arena_dup(&arena, SAMPLE, sizeof SAMPLE - 1);

			copy[n] = bytes[k];
			error = NULL;
			assert_true(parse(copy, &t, &line, &error) || error);
		}
	}
	arena_release(&arena);
}

static void
test_depth(void **state)
{
	const char *error;
	char text[200] = "a = ";
	Toml t;
	u32 line;

	(void)state;
	arena_init(&arena, NULL);
	memset(text + 4, '[', 150);
	assert_false(parse(text, &t, &line, &error));
	arena_release(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values), cmocka_unit_test(test_lines),
	    cmocka_unit_test(test_damage), cmocka_unit_test(test_depth)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
