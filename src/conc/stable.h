/* stable.h - memory that is not written once another thread can see it. */
#ifndef CONC_STABLE_H
#define CONC_STABLE_H

#include "conc/entry.h"

typedef struct Stable Stable;

/* Notes every write that is neither to a fresh object nor done while its
 * thread, the main one, runs alone. */
Stable *stable_solve(Arena *a, Entries *e);
/* A StableFn: is the memory at all slots of addr free of such writes? */
bool stable_at(const void *stable, InstId inst, Val addr, u32 bytes);

#endif
