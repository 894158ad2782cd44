/* lock_cover.h - locks that one thread holds while others run.
 *
 * Who holds a lock from before it starts a thread until that has ended keeps it for that thread,
 * against all others who hold it.  And who starts a thread while it holds a lock is done with
 * all that it does before it gives the lock back, once that thread has acquired it. */
#ifndef CONC_LOCK_COVER_H
#define CONC_LOCK_COVER_H

#include "conc/lock.h"

struct Access;
struct Entries;

typedef struct Covers Covers;

/* Null if no thread is started with a lock held, or the program is too large. */
Covers *covers_solve(Arena *a, struct Entries *e);
/* The guard of an access, and what locks held elsewhere say there. */
GuardId covers_guard(const Covers *c, const struct Access *acc, GuardId guard);

#endif
