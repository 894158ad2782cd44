/* given.h - what a thread runs, by what its own calls pass. */
#ifndef CONC_GIVEN_H
#define CONC_GIVEN_H

#include "pta/pta.h"

typedef struct Given Given;

Given *given_new(Arena *a, const Pta *p);
/* Fills *insts with what a thread runs by calls from its start routine, and *skipped with the
 * edges that it never takes though it runs their callers.  Both are empty before.  The fork passes
 * its arguments; 0: any may be passed.  Edges that `shuns` says are not followed; it may be null. */
void given_reach(Given *g, InstId start, InsId fork, bool (*shuns)(void *ctx, u32 edge), void *ctx,
		 Set *insts, Set *skipped);
/* Does the fork pass a constant that the start routine or its callees ask for? */
bool given_asks(const Given *g, InstId start, InsId fork);
/* Adds the blocks that the thread which was asked for last never runs, in these instances of its;
 * each is known by its number among those of all instances. */
void given_dead(Given *g, const Set *insts, Set *dead);
u32 given_block(const Given *g, InstId inst, BlockId b);

#endif
