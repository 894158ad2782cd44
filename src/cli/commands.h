/* commands.h - the tables of commands and options, and what commands share
 * beside the program that they read. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"
#include "race/race.h"

int cmd_explain(Run *run);
int cmd_triage(Run *run);
int cmd_sample(Run *run);
int cmd_completion(Run *run);
int cmd_man(Run *run);

/* A subcommand: commands.c has the list. */
typedef struct Command {
	const char *name;
	u32 bit;
	int (*run)(Run *);
	const char *usage, *text; /* what to write behind `concord`; what it does */
	const char *more;         /* for its manual page: paragraphs, with a blank line between */
} Command;
extern const Command commands[];
extern const u32 ncommand;
extern const OptSpec option_specs[];
extern const u32 noption_spec;

/* config.c: sets what the nearest concord.toml says for this command; false
 * after a diagnostic. */
bool config_read(Run *run, const OptTable *t, Options *opt);

/* progress.c: shows on a terminal how far run's phases are. */
struct Progress *progress_start(Run *run);
void progress_stop(struct Progress *p);

/* said.c: warns of names in --not-parallel and --never-shared that nothing has. */
void said_check(Run *run, const Ir *ir, const RaceResult *races);

/* check.c: checks one of several programs; its part of the report in the
 * format of the options goes to `to`. */
int check_part(Run *run, const char *program, FILE *to);
/* The whole check as a JSON report at the lowest level into `to`;
 * EXIT_CLEAN if there is one. */
int check_json(Run *run, FILE *to);

#endif
