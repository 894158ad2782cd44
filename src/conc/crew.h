/* crew.h - threads that run nearly the same, of programs with very many.
 *
 * Where threads run very much in all (threads.c), one that runs nearly what another does
 * joins that one's *crew*: it keeps its fork and its start routine, which reports show, but is
 * analysed as the first of the crew, which then starts with any of their routines and stands for
 * any number of threads.  All threads may run beside each other there (Threads.bounded), so what
 * two of a crew run in common could race before. */
#ifndef CONC_CREW_H
#define CONC_CREW_H

#include "conc/threads.h"

/* The crew that id, which is no part of one and of which is known what it runs, may join; 0 none. */
ThreadId crew_find(const Threads *t, ThreadId id);
/* Makes id a part of the crew; true: that runs more now. */
bool crew_join(Threads *t, Arena *a, ThreadId crew, ThreadId id);
/* Gives every thread of a crew what the crew runs. */
void crew_share(Threads *t);

#endif
