/* bits.h - what a thread may have done so far, as bits, at each of its points.
 *
 * Bits are united where ways meet; an instruction may set and clear some, calls are followed
 * by instance.  Sets at the starts of blocks only grow, so this ends. */
#ifndef CONC_BITS_H
#define CONC_BITS_H

#include "conc/flow.h"
#include "conc/threads.h"

typedef struct Bits Bits;

/* What ins of inst, run by t, makes of s; calls are followed, whatever it says of them. */
typedef u64 (*BitsStep)(void *ctx, ThreadId t, InstId inst, InsId ins, u64 s);

enum { BITS = 63 }; /* for use; the last one says that the point is reached */

Bits *bits_solve(Arena *a, const Threads *t, ThreadId thread, u64 start, BitsStep step, void *ctx);
/* The bits just before ins; false: not reached. */
bool bits_at(const Bits *b, InstId inst, InsId ins, u64 *out);

#endif
