/* share.h - which objects two threads may reach. */
#ifndef CONC_SHARE_H
#define CONC_SHARE_H

#include "conc/threads.h"

/* Fills t->shared and t->captures, when t has its threads and what they run. */
void share_solve(Threads *t, Arena *a);

#endif
