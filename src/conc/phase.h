/* phase.h - what barriers keep apart.
 *
 * Where all who meet at a barrier are known, and as many as it waits for, they
 * go through it in step: who has passed it k times comes after all that the
 * others did before they came to it for the k-th time. */
#ifndef CONC_PHASE_H
#define CONC_PHASE_H

#include "conc/distinct.h"
#include "conc/lock.h"

struct Access;
struct Entries;

typedef struct Phases Phases;

/* Null if there is no barrier of which that is known. */
Phases *phases_solve(Arena *a, struct Entries *e, Distinct *d);
/* The guard of an access of thread t, and what the barriers say there. */
GuardId phases_guard(Phases *p, ThreadId t, InstId inst, InsId ins, GuardId guard);
/* Do barriers that the program makes itself keep two accesses apart, if they are such? */
bool phases_presume(const Phases *p, const struct Access *x, const struct Access *y);
/* Is all known of the barrier, so that it keeps nothing else apart? */
bool phases_judge(const Phases *p, SlotId barrier);

#endif
