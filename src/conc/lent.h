/* lent.h - objects that are lent to one thread and waited for. */
#ifndef CONC_LENT_H
#define CONC_LENT_H

#include "conc/threads.h"

/* Adds to out the objects that no two threads ever touch unordered: one makes and lends them, the
 * other gives them back by its end. */
void lent_solve(const Threads *t, Arena *a, Set *out);

#endif
