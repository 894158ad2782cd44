/* above.h - the instances that call some instance, directly or not. */
#ifndef RACE_ABOVE_H
#define RACE_ABOVE_H

#include "pta/pta.h"

typedef struct Above Above;

Above *above_new(Arena *a, const Pta *p);
/* Adds inst and those that call it to a set that only above_has can read. */
void above_add(Above *ab, InstId inst, Set *out);
/* The same of many, each way up followed once; out has only what was added so. */
void above_add_all(Above *ab, const VecU32 *insts, Set *out);
bool above_has(const Above *ab, const Set *s, InstId inst);
/* Is it the same instance, or does from call to, directly or not? */
bool above_calls(Above *ab, InstId from, InstId to);

#endif
