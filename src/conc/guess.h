/* guess.h - calls of which points-to says too little. */
#ifndef CONC_GUESS_H
#define CONC_GUESS_H

#include "conc/threads.h"

/* For each edge of the call graph, whether it is such a call; null: none is. */
const bool *guess_calls(Arena *a, const Pta *p);
/* The same with the calls back of external functions that are hardly meant, added to guess, which
 * may be null. */
bool *guess_callbacks(Arena *a, const Pta *p, bool *guess);
/* Is it only guessed that t makes the call of the edge?  `guess` as above. */
bool guess_doubts(const bool *guess, const Threads *th, ThreadId t, u32 edge);

#endif
