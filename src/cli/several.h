/* several.h - several programs in one report.
 *
 * Each is checked in a process of its own, so that one that cannot be checked does not take the
 * others with it.  Their parts become one document; as text they stand one after the other. */
#ifndef CLI_SEVERAL_H
#define CLI_SEVERAL_H

#include "cli/cli.h"

#include <sys/types.h>

typedef struct Several {
	Run *run;
	u32 format;
	FILE *to;
	u32 n;       /* parts so far */
	FILE *rules; /* what they say of suppressions; null: there is no room for that */
	int status;  /* the highest of theirs */
} Several;

/* Checks one program and returns its exit status; its report goes to part, or with null to where
 * the options say. */
typedef int Checker(void *ctx, FILE *part);

/* Calls check in a child process; that returns its exit status. */
int several_apart(Run *run, const char *name, Checker *check, void *ctx, FILE *part);

void several_begin(Several *s, Run *run, u32 format, FILE *to);
/* Adds the report of one program, if there is one, to those before it. */
void several_add(Several *s, const char *name, Checker *check, void *ctx);
/* Ends the document, and warns of suppressions that no program has used. */
void several_end(Several *s);

/* Lets this child end when parent is ended, however that happens. */
void end_with(pid_t parent);

#endif
