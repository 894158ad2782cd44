/* list.h - the list of accesses. */
#ifndef CONC_LIST_H
#define CONC_LIST_H

#include "base/pool.h"
#include "conc/conc.h"
#include "conc/entry.h"
#include "conc/frame.h"

/* How many workers it has a use for. */
enum { LIST_STAGES = 3 };

/* Fills c->accesses, c->flags and c->phases.  d: null if there are few entries; see distinct.h. */
void list_accesses(Conc *c, Entries *e, const Frames *frames, Distinct *d, Pool *pool);

#endif
