/* ir.c - `concord ir`: the program as text, which is itself an input.
 *
 * Of Java classes without an entry only they are printed, without models and
 * what they use. */
#include "cli/cli.h"

#include "base/file.h"
#include "base/pool.h"
#include "jvm/jvm.h"

typedef struct Checks {
	Ir **units;
	const char **wrong;
} Checks;

static void
check_unit(void *ctx, u32 i, u32 worker)
{
	Checks *c = ctx;

	(void)worker;
	c->wrong[i] = ir_check(c->units[i]);
}

/* Checks all units and says how much is in them. */
static void
print_counts(Run *run, Ir **units, u32 n, FILE *to)
{
	Checks c = {units, arena_array(&run->arena, const char *, n)};
	Pool *pool = pool_new(&run->arena, run->jobs);
	u64 bodies = 0, ins = 0;

	pool_run(pool, n, check_unit, &c);
	pool_release(pool);
	for (u32 i = 0; i < n; i++) {
		if (c.wrong[i])
			diag_error(&run->diag, ir_str(units[i], units[i]->unit), "%s", c.wrong[i]);
		for (FnId f = 1; f < units[i]->fns.n; f++)
			bodies += units[i]->fns.at[f].nblock != 0;
		ins += units[i]->ins.n - 1;
	}
	fprintf(to, "%llu bodies, %llu instructions", (unsigned long long)bodies,
		(unsigned long long)ins);
	if (run->java)
		fprintf(to, ", %u classes, %u methods lowered, %u not", run->java_stats.classes,
			run->java_stats.bodies, run->java_stats.skipped);
	fputc('\n', to);
}

/* The units as one program, where they are to be seen as one; false if not all
 * is well. */
static bool
join(Run *run, bool whole, Ir **units, u32 n, Ir *program)
{
	if (whole)
		return load_program(run, units, n, program) != 0;
	ir_init(program, &run->arena);
	ir_link(program, units, n, &run->diag);
	return true;
}

static void
print(Run *run, Ir **units, u32 n, const Ir *program, FILE *to)
{
	if (run->opt->count)
		print_counts(run, units, n, to);
	else if (program)
		ir_print(program, to);
	for (u32 i = 0; !run->opt->count && !program && i < n; i++)
		ir_print(units[i], to);
}

int
cmd_ir(Run *run)
{
	const char *error = NULL;
	bool whole, raw = run->opt->raw || run->opt->count;
	Ir **units, program;
	FileOut out;
	u32 n;

	if (run->opt->quiet)
		run->diag.least = DIAG_ERROR;
	run->java_alone = !run->opt->entry.n && !run->opt->open.n;
	load_units(run, &units, &n);
	if (!n) {
		diag_error(&run->diag, NULL, "nothing to print: no input could be read");
		return arena_exceeded(&run->arena) ? EXIT_INCOMPLETE : EXIT_INPUT;
	}
	whole = !run->java || run->opt->entry.n;
	if (!raw && !join(run, whole, units, n, &program))
		return EXIT_INPUT;
	if (!file_out_open(&out, &run->arena, run->opt->output, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	print(run, units, n, raw ? NULL : &program, out.to);
	if (!file_out_commit(&out, &run->arena, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	return run->diag.errors ? EXIT_INPUT : EXIT_CLEAN;
}
