/* region.h - objects that one instance of a thread has for itself, whatever leads to them.
 *
 * A worker's own list, with its array and all that is in it: what a thread makes itself, or its
 * creator made for it, and no other instance of it, nor another such thread, ever gets. */
#ifndef CONC_REGION_H
#define CONC_REGION_H

#include "conc/distinct.h"

typedef struct Regions Regions;

/* Null: there are none.  Memory is d's. */
Regions *regions_solve(Distinct *d);
/* Is what thread t accesses at addr in inst its instance's own?  Two such accesses, by different
 * instances or threads, never meet. */
bool regions_own(const Regions *r, ThreadId t, InstId inst, Val addr);

#endif
