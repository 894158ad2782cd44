/* steady.h - values that do not change while loops run. */
#ifndef CONC_STEADY_H
#define CONC_STEADY_H

#include "conc/threads.h"

typedef struct Steady Steady;

Steady *steady_new(const Threads *t, Arena *a);
/* Is v the same each time that an activation of inst computes it from block `from` on? */
bool steady_from(Steady *s, InstId inst, BlockId from, Val v);
/* The same, as a test for loop_counter_if; ctx is such a question. */
typedef struct SteadyFrom {
	Steady *s;
	InstId inst;
	BlockId from;
} SteadyFrom;
bool steady_asked(void *ctx, Val v);
/* Is the memory at addr, bytes of it, written by nothing but `except`, 0 nothing at all, while
 * an activation of inst is at block `from` or behind it? */
bool steady_but(Steady *s, InstId inst, BlockId from, Val addr, u32 bytes, InsId except);
/* Is it written by nothing once the activation has come to `start`? */
bool steady_behind(Steady *s, InstId inst, InsId start, Val addr, u32 bytes);
/* Is the memory there not written from where an activation of inst is at `start` until it has
 * come past `stop`? */
bool steady_between(Steady *s, InstId inst, InsId start, InsId stop, const Set *at, u32 bytes);
/* The same, whatever some instructions write there. */
typedef struct SteadyWrite {
	InstId inst;
	InsId ins;
} SteadyWrite;
typedef Vec(SteadyWrite) SteadyWrites;
bool steady_between_but(Steady *s, InstId inst, InsId start, InsId stop, const Set *at, u32 bytes,
			const SteadyWrites *spared);
/* Does every write of the program to the memory there pass the test? */
typedef bool SteadyFine(void *ctx, InstId inst, InsId ins);
bool steady_fine(Steady *s, const Set *at, u32 bytes, SteadyFine *fine, void *ctx);
/* The same, of those that can run from start to stop, as above. */
bool steady_fine_between(Steady *s, InstId inst, InsId start, InsId stop, const Set *at, u32 bytes,
			 SteadyFine *fine, void *ctx);
/* Is y, computed behind x by the same activation, the same? */
bool steady_same(Steady *s, InstId inst, Val x, Val y);

#endif
