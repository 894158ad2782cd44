/* cli.h - what the subcommands share. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/diag.h"
#include "base/phase.h"
#include "base/store.h"
#include "cli/options.h"
#include "ir/ir.h"
#include "jvm/load.h"
#include "model/model.h"

/* One run of the tool. */
typedef struct Run {
	const Options *opt;
	Budget budget;
	Arena arena;
	Arena units; /* what was read of C, until it is linked */
	Diag diag;
	Phases phases;
	OptList inputs;           /* as the user named them */
	char *const *clang_flags; /* behind "--"; of `build`: its command */
	u32 nclang_flags;
	u32 jobs;
	Models *models;        /* null until load_models */
	ClassPath *java;       /* null: no input is Java's */
	u32 java_inputs;       /* those that could be opened */
	NameList java_modules; /* of the JDK, among the inputs */
	bool java_alone;       /* only the classes of the inputs, without what they use */
	LoadStats java_stats;  /* what was read of it */
	u32 dead_blocks;       /* of the program, which never run */
	bool linked;           /* an input is a captured program, all of which is one */
	Store *store;          /* of earlier results: cache.h; null: none, or not yet opened */
	Digest tool;           /* of the running program, once it is open */
	FILE *rules;           /* several.h: which suppressions were used; null: one program */
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
/* Reads the models that are shipped and those of the command line into
 * run->models, once; false after a diagnostic. */
bool load_models(Run *run);

/* load_java.c */
/* Adds a class file, archive, directory of classes or module (jrt:/java.base) to
 * the Java inputs. */
void java_add(Run *run, const char *path);
/* Is it an input for java_add?  What a directory holds is looked at. */
bool java_is_input(Run *run, const char *path);
/* Loads the Java program, or only its classes; appends the units. */
void java_load(Run *run, Ir ***units, u32 *n);
/* Appends the words of a shell-like command line: split at blanks, with quotes
 * and backslashes. */
void split_words(Arena *a, const char *s, OptList *out);

#endif
