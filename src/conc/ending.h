/* ending.h - calls that report an error and do not come back. */
#ifndef CONC_ENDING_H
#define CONC_ENDING_H

#include "pta/pta.h"

/* For each edge of the call graph, whether it is such a call; null: none is. */
const bool *ending_calls(Arena *a, const Pta *p);

#endif
