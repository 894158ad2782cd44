/* cli.h - what the subcommands share. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/diag.h"
#include "base/phase.h"
#include "cli/options.h"
#include "ir/ir.h"
#include "model/model.h"

/* One run of the tool. */
typedef struct Run {
	const Options *opt;
	Budget budget;
	Arena arena;
	Diag diag;
	Phases phases;
	OptList inputs;           /* as the user named them */
	char *const *clang_flags; /* behind "--"; of `build`: its command */
	u32 nclang_flags;
	u32 jobs;
} Run;

/* Exit statuses; the highest that applies wins. */
enum { EXIT_CLEAN, EXIT_RACES, EXIT_INPUT, EXIT_INCOMPLETE, EXIT_FAULT };

int cmd_check(Run *run);
int cmd_ir(Run *run);
int cmd_build(Run *run);

/* Reads all inputs into units, in order; those that cannot be read are
 * reported and left out.  None, after a diagnostic, if the memory limit leaves
 * no room for the program. */
void load_units(Run *run, Ir ***units, u32 *n);
/* Links the units, applies the models and adds the harness.  Returns the
 * root, or 0 after a diagnostic. */
FnId load_program(Run *run, Ir *const *units, u32 n, Ir *program);
/* Reads the models that are shipped and those of the command line; false
 * after a diagnostic. */
bool load_models(Run *run, Models *m);
/* Appends the words of a shell-like command line: split at blanks, with quotes
 * and backslashes. */
void split_words(Arena *a, const char *s, OptList *out);

#endif
