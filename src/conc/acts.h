/* acts.h - the instructions of each function by which threads start, end, wait, lock and count.
 *
 * There are few, and many analyses ask for them: found in one walk over the program. */
#ifndef CONC_ACTS_H
#define CONC_ACTS_H

#include "base/vec.h"
#include "ir/ir.h"

typedef struct Acts {
	VecU32 ins; /* of each function in order */
	u32 *first; /* [FnId]: in ins; the next function's end them */
} Acts;

void acts_find(Acts *acts, Arena *a, const Ir *ir);

/* Those of a function, in order; sets n to how many. */
static inline const InsId *
acts_of(const Acts *acts, FnId fn, u32 *n)
{
	*n = acts->first[fn + 1] - acts->first[fn];
	return acts->ins.at + acts->first[fn];
}

#endif
