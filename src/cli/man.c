/* man.c - `concord man`: the manual pages, from the tables of commands and
 * options. */
#include "cli/commands.h"

#include <string.h>

/* Text for roff: no line starts a request, dashes and backslashes are
 * themselves. */
static void
put(const char *s)
{
	for (; *s; s++)
		if (*s == '\\')
			fputs("\\e", stdout);
		else if (*s == '-')
			fputs("\\-", stdout);
		else
			putchar(*s);
}

static void
head(const char *page, const char *what)
{
	char upper[64];
	size_t n = MIN(strlen(page), sizeof upper - 1);

	for (size_t i = 0; i < n; i++)
		upper[i] = page[i] >= 'a' && page[i] <= 'z' ? (char)(page[i] - 32) : page[i];
	upper[n] = 0;
	printf(".TH \"%s\" 1 \"\" \"concord %s\"\n.SH NAME\n", upper, CONCORD_VERSION);
	put(page);
	printf(" \\- ");
	put(what);
	printf("\n");
}

/* Paragraphs with a blank line between them, behind a heading. */
static void
paragraphs(const char *text)
{
	for (bool first = true; *text; first = false) {
		const char *end = strstr(text, "\n\n");
		size_t n = end ? (size_t)(end - text) : strlen(text);

		printf("%s\\&", first ? "" : ".PP\n");
		for (size_t i = 0; i < n; i++) {
			char one[2] = {text[i], 0};

			put(one);
			if (text[i] == '\n')
				printf("\\&");
		}
		printf("\n");
		text += n + (end ? 2 : 0);
	}
}

static void
put_option(const OptSpec *s)
{
	printf(".TP\n.B ");
	if (s->letter)
		printf("\\-%c\\fR, \\fB", s->letter);
	printf("\\-\\-");
	put(opt_prefix(s));
	put(s->name);
	if (!opt_is_flag(s)) {
		printf("\\fR=\\fI");
		put(s->arg);
		printf("\\fR");
	}
	printf("\n\\&");
	put(s->help);
	printf("\n");
}

static void
options(u32 bit)
{
	OptTable t = {option_specs, noption_spec, bit};
	bool first = true;

	for (u32 i = 0; i < noption_spec; i++) {
		const OptSpec *s = &option_specs[i];

		if (!opt_applies(&t, s))
			continue;
		if (first)
			printf(".SH OPTIONS\n");
		first = false;
		if (s->kind == OPT_GROUP) {
			printf(".SS ");
			put(s->name);
			printf("\n");
		} else {
			put_option(s);
		}
	}
}

static void
exit_status(void)
{
	printf(".SH EXIT STATUS\n");
	paragraphs("0: no races at or above the level. 1: races. 2: wrong usage, or an input that "
		   "could not be read. 3: incomplete. 4: a fault of Concord itself. The highest "
		   "that applies wins.");
}

static void
see_also(const char *self)
{
	bool first = true;

	printf(".SH SEE ALSO\n");
	if (self) {
		printf("\\fBconcord\\fR(1)");
		first = false;
	}
	for (u32 i = 0; i < ncommand; i++) {
		if (self && !strcmp(self, commands[i].name))
			continue;
		printf("%s\\fBconcord\\-%s\\fR(1)", first ? "" : ", ", commands[i].name);
		first = false;
	}
	printf("\n");
}

static void
page_of(const Command *c)
{
	char page[64];

	(void)snprintf(page, sizeof page, "concord-%s", c->name);
	head(page, c->text);
	printf(".SH SYNOPSIS\n.B concord\n\\&");
	put(c->usage);
	printf("\n.SH DESCRIPTION\n");
	paragraphs(c->more);
	options(c->bit);
	exit_status();
	see_also(c->name);
}

static void
environment(void)
{
	static const char *const names[][2] = {
	    {"CONCORD_CACHE", "where results are kept for later runs; empty for nowhere"},
	    {"XDG_CACHE_HOME, HOME", "if it is not set, they are kept below the first of these"},
	    {"JAVA_HOME", "the JDK whose classes a Java program uses"},
	    {"TMPDIR", "where files lie while they are in use"},
	    {"NO_COLOR", "if it is set and not empty, nothing is coloured"},
	    {"TERM", "if it is dumb, nothing is coloured, and no progress is shown"},
	};

	printf(".SH ENVIRONMENT\n");
	for (u32 i = 0; i < COUNT(names); i++)
		printf(".TP\n.B %s\n%s\n", names[i][0], names[i][1]);
}

static void
page_of_all(void)
{
	head("concord", "find data races in programs and explain them");
	printf(".SH SYNOPSIS\n.B concord\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
	       ".SH DESCRIPTION\n");
	paragraphs("Concord reads a program and reports the locations where two threads may "
		   "access the same memory at once, one of them writing, with nothing that orders "
		   "them. Each race has a rung that says how sure the analysis is, and why.\n\n"
		   "Options may also be set in a file concord.toml, which is looked for upwards "
		   "from the current directory: a key is the name of a long option, for every "
		   "command that takes it, or in a table of a command's name for that one.");
	printf(".SH COMMANDS\n");
	for (u32 i = 0; i < ncommand; i++) {
		printf(".TP\n.B ");
		put(commands[i].usage);
		printf("\n\\&");
		put(commands[i].text);
		printf("; see \\fBconcord\\-%s\\fR(1)\n", commands[i].name);
	}
	exit_status();
	printf(".SH FILES\n.TP\n.I concord.toml\na project's settings\n.TP\n.I concord.triage\n"
	       "verdicts on races\n.TP\n.I .concord\nwhat \\fBconcord build\\fR captured\n");
	environment();
	see_also(NULL);
}

int
cmd_man(Run *run)
{
	const char *name = run->inputs.n ? run->inputs.at[0] : NULL;

	if (!name) {
		page_of_all();
		return EXIT_CLEAN;
	}
	for (u32 i = 0; i < ncommand; i++)
		if (run->inputs.n == 1 && !strcmp(commands[i].name, name)) {
			page_of(&commands[i]);
			return EXIT_CLEAN;
		}
	diag_error(&run->diag, NULL, "man takes at most the name of a command");
	return EXIT_INPUT;
}
