/* ask.h - `check --ask`: on which rung single pairs of places are. */
#ifndef CLI_ASK_H
#define CLI_ASK_H

#include "cli/cli.h"
#include "race/race.h"

#include <stdio.h>

/* Writes a line "F:LINE G:LINE RUNG" for each pair of places in the file; the
 * rung is `nothing` where a place has no access.  False after a diagnostic. */
bool ask_print(Run *run, RaceResult *r, const char *path, FILE *to);

#endif
