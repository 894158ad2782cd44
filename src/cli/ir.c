/* ir.c - `concord ir`: the program as text, which is itself an input. */
#include "cli/cli.h"

#include "base/file.h"

int
cmd_ir(Run *run)
{
	const char *error = NULL;
	Ir **units, program;
	FileOut out;
	u32 n;

	load_units(run, &units, &n);
	if (!n) {
		diag_error(&run->diag, NULL, "nothing to print: no input could be read");
		return arena_exceeded(&run->arena) ? EXIT_INCOMPLETE : EXIT_INPUT;
	}
	if (!run->opt->raw && !load_program(run, units, n, &program))
		return EXIT_INPUT;
	if (!file_out_open(&out, &run->arena, run->opt->output, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	if (run->opt->raw)
		for (u32 i = 0; i < n; i++)
			ir_print(units[i], out.to);
	else
		ir_print(&program, out.to);
	if (!file_out_commit(&out, &run->arena, &error)) {
		diag_error(&run->diag, NULL, "%s", error);
		return EXIT_INPUT;
	}
	return run->diag.errors ? EXIT_INPUT : EXIT_CLEAN;
}
