/* init.h - which classes are certainly initialised, or being initialised by
 * this very thread, at each point.
 *
 * Who has passed the initialisation of a class comes after all that its
 * initialiser did; who is in it excludes both the others in it, of which there
 * are none, and those behind it. */
#ifndef CONC_INIT_H
#define CONC_INIT_H

#include "conc/flow.h"
#include "conc/threads.h"

typedef struct Inits Inits;

/* Null if no class of the program has an initialiser. */
Inits *inits_solve(Arena *a, const Threads *t);
/* Of the classes c whose initialisers touch an object that addr may point to: 2 * c for each
 * that is initialised before ins, 2 * c + 1 for those whose initialiser is running in this
 * thread.  `by`, if not null, is a call within which this takes place.  The set is x's, and good
 * until the next call. */
const Set *inits_at(Inits *x, InstId inst, InsId ins, Val addr, const Edge *by);

#endif
