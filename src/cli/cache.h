/* cache.h - results of earlier runs. */
#ifndef CLI_CACHE_H
#define CLI_CACHE_H

#include "base/store.h"
#include "cli/cli.h"

/* The store that the options and the environment name, opened on first use, with
 * the digest of the running program in run->tool; null if there is to be none. */
Store *cache_open(Run *run);
/* Ends the use of the store, if there is one, with a note if something could not
 * be kept. */
void cache_close(Run *run);
/* `concord cache stat|clear`. */
int cmd_cache(Run *run);

#endif
