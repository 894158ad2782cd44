/* kept.h - the result of a check that was made before. */
#ifndef CLI_KEPT_H
#define CLI_KEPT_H

#include "base/store.h"
#include "cli/cli.h"
#include "race/race.h"

/* The result for the program, if this very check was made before; else null, and
 * the name for kept_put. */
RaceResult *kept_find(Run *run, const Ir *program, FnId root, const RaceOptions *opt, Digest *name);
void kept_put(Run *run, Digest name, const RaceResult *r, const RaceOptions *opt);

#endif
