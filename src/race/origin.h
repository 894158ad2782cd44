/* origin.h - which task's words choose the place of an access. */
#ifndef RACE_ORIGIN_H
#define RACE_ORIGIN_H

#include "race/reason_int.h"

/* A cell from which a task's word was loaded: by the instruction, a load or a block copy, in
 * that instance.  The word is an index, or a pointer to the place. */
typedef struct Word {
	InstId inst;
	InsId load;
	bool index;
} Word;

enum { MAX_WORDS = 4 };

/* Finds words of tasks that the access's address is computed from; returns their number. */
u32 origin_words(Reasons *rs, u32 access, Word out[MAX_WORDS]);

/* A constant place in a variable, parameter or other value. */
typedef struct Spot {
	Val root;
	i64 off;
} Spot;

/* False where the way from the root there is not constant. */
bool origin_spot(const Ir *ir, const Fn *f, Val v, Spot *out);

#endif
