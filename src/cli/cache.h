/* cache.h - results of earlier runs. */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include "base/store.h"
#include "cli/cli.h"

/* The store that the options and the environment name, with the digest of the
 * running program; null if there is to be none. */
Store *cache_open(Run *run, Digest *tool);
/* Ends the use of s (or null), with a note if something could not be kept. */
void cache_close(Run *run, Store *s);
/* `concord cache stat|clear`. */
int cmd_cache(Run *run);

#endif
