/* flag.h - what the threads' own flags keep apart.
 *
 * A flag is a small number in memory that threads test: a ready flag, a turn,
 * a spin lock's word, a busy mark under a mutex, a semaphore's count.  At each
 * point of a thread we know which values it may have at that very moment,
 * whatever the others do meanwhile, and whether this thread was the last to
 * change it.  Two points that agree on no value are never passed at once, and
 * what the flag's own order makes of it is that one comes before the other. */
#ifndef CONC_FLAG_H
#define CONC_FLAG_H

#include "conc/lock.h"

struct Entries;

typedef struct Flags Flags;

/* Null if the program has no flags, or is too large to look for them. */
Flags *flags_solve(Arena *a, struct Entries *e);
/* The guard of an access of thread t, and what the flags say there. */
GuardId flags_guard(Flags *f, ThreadId t, InstId inst, InsId ins, GuardId guard);
/* An access, as a point of a thread. */
typedef struct FlagAt {
	ThreadId thread;
	InstId inst;
	InsId ins;
} FlagAt;
/* Do the flags say that two such are never passed at once? */
bool flags_apart(const Flags *f, FlagAt x, FlagAt y);
/* Are all values of the flag known, so that it keeps nothing else apart? */
bool flags_judge(const Flags *f, SlotId flag);

#endif
