/* recur.h - locks in local variables of which there is one at a time.
 *
 * What two threads do while each holds the lock at such a slot, they do while they hold one and the same lock, or
 * the one before the variable of the other was made. */
#ifndef CONC_RECUR_H
#define CONC_RECUR_H

#include "conc/entry.h"

/* The slots of such locks, in a's memory.  e: without locks. */
Set recur_locks(const Entries *e, Arena *a);

#endif
