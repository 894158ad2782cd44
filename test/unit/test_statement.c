/* test_statement.c - a statement has the same text however its lines are broken. */
#include "unit.h"

#include "race/statement.h"

#include <string.h>

static Arena arena;

/* The statement at the @ of the text. */
static const char *
at_mark(const char *text)
{
	char *copy = arena_strdup(&arena, text), *mark = strchr(copy, '@');
	Tokens tokens = {0};

	assert_non_null(mark);
	memmove(mark, mark + 1, strlen(mark));
	return statement_text(&arena, &tokens, copy, (u32)strlen(copy), mark, mark);
}

static void
test_one_statement(void **state)
{
	static const char *const same[][2] = {
	    {"x@++;", "x++;"},
	    {"f(); x @ += a *\n\tg(b,\n  c) ; /* ; */ h();", "x+=a*g(b,c);"},
	    {"return\n  @unsigned  long  (x);", "return unsigned long(x);"},
	    {"if (a)\n\t@x++;", "x++;"},
	    {"if (a) @x++; else y++;", "x++;"},
	    {"if (a) x++; else @y++;", "y++;"},
	    {"if (a) { @x++; }", "x++;"},
	    {"if (f(a) &&\n @b) {", "if(f(a)&&b)"},
	    {"for (i = 0;\n i < @n; i++)\n x++;", "for(i=0;i<n;i++)"},
	    {"for (i = 0; i < n; i++) @x++;", "x++;"},
	    {"case 1:\n @x++;", "x++;"},
	    {"case A ? 1 : 2: done: @x++;", "x++;"},
	    {"out:@x++;", "x++;"},
	    {"a::@b();", "a::b();"},
	    {"do @x++; while (y);", "x++;"},
	    {"puts(\"; {\"); // }\n#if X\n@x = ';';", "x=';';"},
	    {"a[({ f(); 1; })] = @b;", "a[({f();1;})]=b;"},
	    {"run(() -> { x++; @y++; });", "y++;"},
	    {"x@ = run(() -> { x++; y++; });", "x=run(()->"},
	    {"@}", "}"},
	    {"x = @1", "x=1"},
	    {"if (@a", "if(a"},
	    {"/* @ */", ""},
	    {"\"a\\\"@;\" x", "\"a\\\";\"x"},
	};

	(void)state;
	for (u32 i = 0; i < COUNT(same); i++)
		assert_string_equal(at_mark(same[i][0]), same[i][1]);
}

/* Without a column all that begins on a line counts. */
static void
test_line(void **state)
{
	static const char text[] = "if (a) x++;\ny++; z++;\n";
	Tokens tokens = {0};

	(void)state;
	assert_string_equal(statement_text(&arena, &tokens, text, sizeof text - 1, text, text + 11),
			    "if(a)x++;");
	assert_string_equal(
	    statement_text(&arena, &tokens, text, sizeof text - 1, text + 12, text + 21),
	    "y++;z++;");
}

static void
test_lines(void **state)
{
	static const char *const lines[] = {"x++; // {", "} /* x", "  #if X", "for (i = 0; i < n;",
					    "",          "f(a]]",  "/* ; */", "f(a, ';') } ("};
	static const LineEnd ends[] = {{.semicolon = true},
				       {.block = true},
				       {.block = true},
				       {.semicolon = true, .opened = 1},
				       {0},
				       {.closed = 1},
				       {0},
				       {.opened = 1}};

	(void)state;
	for (u32 i = 0; i < COUNT(lines); i++) {
		LineEnd e = statement_line(lines[i], (u32)strlen(lines[i]));
		assert_int_equal(e.block, ends[i].block);
		assert_int_equal(e.semicolon, ends[i].semicolon);
		assert_int_equal(e.opened, ends[i].opened);
		assert_int_equal(e.closed, ends[i].closed);
	}
}

/* Any text has some statement at any place; none is read beyond. */
static void
test_any(void **state)
{
	static const char some[] = "ab1 ;{}()[]:'\"\\/*#\n";
	char text[40];
	u32 seed = 7;

	(void)state;
	for (u32 round = 0; round < 20000; round++) {
		u32 n = round % sizeof text;
		Tokens tokens = {0};
		char *copy;
		for (u32 i = 0; i < n; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = some[(seed >> 16) % (sizeof some - 1)];
		}
		copy = arena_alloc(&arena, n + 1);
		memcpy(copy, text, n);
		(void)statement_text(&arena, &tokens, copy, n, copy + n / 2, copy + n);
		(void)statement_line(copy, n);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_one_statement),
	    cmocka_unit_test(test_line),
	    cmocka_unit_test(test_lines),
	    cmocka_unit_test(test_any),
	};
	int failed;

	arena_init(&arena, NULL);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&arena);
	return failed;
}
