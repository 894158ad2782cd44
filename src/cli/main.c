/* main.c - the command line.  The pipeline is in check.c. */
#include "cli/cache.h"
#include "cli/capture.h"
#include "cli/commands.h"

#include "base/file.h"
#include "report/report.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTION_DEFAULT(kind, type, field, value, ...) .field = value,

static void
print_help(FILE *to)
{
	fputs("Concord finds data races in C and Java programs and explains them.\n\nUsage:\n", to);
	for (u32 i = 0; i < ncommand; i++)
		fprintf(to, "  concord %-54s %s\n", commands[i].usage, commands[i].text);
	fputs("  concord --version | --help | COMMAND --help\n\n"
	      "An INPUT is a .c, .i, .bc or .ll file, a compile_commands.json, a .class or .jar\n"
	      "file, a .ir file (what `concord ir` prints), a .link file (what `concord build`\n"
	      "keeps), or a directory that holds such files.\n\n"
	      "Exit status: 0 no races at or above the level, 1 races, 2 wrong usage or an input\n"
	      "that could not be read, 3 incomplete, 4 a fault of Concord itself.\n",
	      to);
}

static int
print_command_help(const Command *c)
{
	OptTable table = {option_specs, noption_spec, c->bit};

	printf("Usage: concord %s\n\n%c%s.\n", c->usage, c->text[0] & ~32, c->text + 1);
	opt_help(&table, stdout);
	return EXIT_CLEAN;
}

static const Command *
find_command(const char *name)
{
	for (u32 i = 0; i < ncommand; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/* A mistake in the command line, of c if that is known. */
static int
usage_error(Run *run, const Command *c, const char *text)
{
	diag_error(&run->diag, NULL, "%s", text);
	fprintf(stderr, "Try `concord %s%s--help`.\n", c ? c->name : "", c ? " " : "");
	return EXIT_INPUT;
}

/* Is this word among the options? */
static bool
has_word(int argc, char **argv, const char *word)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], word))
			return true;
	return false;
}

/* What the command line must have beside its options; null if it has. */
static const char *
missing(const Command *c, const Options *opt, const OptRest *rest)
{
	if (c->bit == CMD_BUILD && (!rest->n_after || rest->args.n))
		return "the command that builds goes behind `--`";
	if (c->bit & (CMD_CHECK | CMD_IR) && opt->open.n && strcmp(opt->open.at[0], "*") != 0)
		return NULL; /* classes of the JDK */
	if (c->bit & (CMD_CHECK | CMD_IR) && !rest->args.n)
		return rest->n_after ? "no input: what is behind `--` goes to clang" : "no input";
	return NULL; /* the others say what they take */
}

/* A list of sources behind -o, without the name of a report, would lose the first. */
static const char *
overwritten(Arena *a, const Command *c, const Options *opt, const OptRest *rest)
{
	const char *out[] = {opt->output, opt->emit_icg, opt->emit_sites, opt->emit_pairs};
	u32 at;

	for (u32 k = 0; k < COUNT(out); k++) {
		bool lost = out[k] && c->bit & CMD_CHECKS && file_exists(out[k]) &&
			    opt_word("c|h|i|ll|bc|java|class|jar", file_ext(out[k]), &at);
		for (u32 i = 0; out[k] && i < rest->args.n; i++)
			lost |= file_same(out[k], rest->args.at[i]);
		if (lost)
			return arena_printf(a, "the output, %s, is an input: it is kept", out[k]);
	}
	return NULL;
}

/* A mistake in the options; clang's are often meant. */
static int
option_error(Run *run, const Command *c, int argc, char **argv, const char *error)
{
	static const char start[] = "unknown option -";
	size_t n = sizeof start - 1;
	const char *letter = !strncmp(error, start, n) && error[n] != '-' ? error + n : "";

	if (c->bit & (CMD_CHECK | CMD_IR | CMD_EXPLAIN) && *letter)
		for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
			if (argv[i][0] == '-' && argv[i][1] == *letter)
				error = arena_printf(
				    &run->arena, "unknown option %s; those of clang go behind `--`",
				    argv[i]);
	return usage_error(run, c, error);
}

static int
run_command(Run *run, const Command *c, int argc, char **argv)
{
	Options opt = {OPTIONS(OPTION_DEFAULT)};
	OptTable table = {option_specs, noption_spec, c->bit};
	OptRest rest = {0};
	const char *error = NULL;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	struct Progress *progress;
	int status;

	if (has_word(argc, argv, "--help") || has_word(argc, argv, "-h"))
		return print_command_help(c);
	if (c->bit & CMD_SETTINGS && !has_word(argc, argv, "--no-config") &&
	    !config_read(run, &table, &opt))
		return EXIT_INPUT;
	if (!opt_parse(&table, &opt, (u32)argc, argv, &run->arena, &rest, &error))
		return option_error(run, c, argc, argv, error);
	error = missing(c, &opt, &rest);
	if (!error)
		error = overwritten(&run->arena, c, &opt, &rest);
	if (error)
		return usage_error(run, c, error);
	run->opt = &opt;
	run->inputs = rest.args;
	run->clang_flags = rest.after;
	run->nclang_flags = rest.n_after;
	run->jobs = opt.jobs ? opt.jobs : cores > 0 ? (u32)cores : 1;
	run->budget.limit = opt.memory_limit;
	progress = c->bit & CMD_CHECKS & ~CMD_BUILD ? progress_start(run) : NULL;
	status = c->run(run);
	progress_stop(progress);
	cache_close(run);
	return status;
}

/* "check|build|...". */
static const char *
command_names(Arena *a)
{
	const char *all = "";

	for (u32 i = 0; i < ncommand; i++)
		all = arena_printf(a, "%s%s%s", all, *all ? "|" : "", commands[i].name);
	return all;
}

static int
start(Run *run, int argc, char **argv)
{
	const Command *c;
	const char *near;

	if (argc < 2) {
		print_help(stderr);
		return EXIT_INPUT;
	}
	if (!strcmp(argv[1], "help") && argc == 3 && find_command(argv[2]))
		return print_command_help(find_command(argv[2]));
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return EXIT_CLEAN;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("concord " CONCORD_VERSION);
		return EXIT_CLEAN;
	}
	c = find_command(argv[1]);
	if (c)
		return run_command(run, c, argc - 2, argv + 2);
	near = opt_closest(&run->arena, command_names(&run->arena), argv[1]);
	return usage_error(run, NULL,
			   arena_printf(&run->arena, "unknown %s '%s'%s%s%s",
					*argv[1] == '-' ? "option" : "command", argv[1],
					near ? "; did you mean '" : "", near ? near : "",
					near ? "'?" : ""));
}

/* What was printed by itself, help and the like, may not have arrived; who
 * writes a report has said so already. */
static int
close_output(Run *run, int status)
{
	if ((!fflush(stdout) && !ferror(stdout)) || status >= EXIT_INPUT)
		return status;
	diag_error(&run->diag, NULL, "standard output: %s", strerror(errno));
	return EXIT_INPUT;
}

int
main(int argc, char **argv)
{
	Run run = {0};
	int status;

	if (tool_kind(argv[0]))
		return tool_main(argc, argv);
	/* what one phase gives back the next one takes: the system would clear it again */
	(void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
	(void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a full disk */
	arena_init(&run.arena, &run.budget);
	arena_init(&run.units, &run.budget);
	diag_init(&run.diag, &run.arena, stderr);
	run.diag.color = report_wants_color(stderr);
	phases_init(&run.phases, &run.arena, NULL, NULL);
	status = close_output(&run, start(&run, argc, argv));
	diag_release(&run.diag);
	arena_release(&run.units);
	arena_release(&run.arena);
	return status;
}
