/* inevitable.h - what a thread certainly gets to, and what it needs on the way.
 *
 * The arrival of a thread at an instruction is inevitable if every path from
 * its start leads there whatever the data: no exit, trap, throw or assume in
 * between, only loops that end, and no blocking call except locks whose
 * critical sections all end by themselves, and joins of threads that return
 * as certainly. */
#ifndef RACE_INEVITABLE_H
#define RACE_INEVITABLE_H

#include "conc/conc.h"
#include "ir/cfg.h"

typedef struct Inevitable Inevitable;

Inevitable *inevitable_new(Arena *a, const Conc *c);

/* One step of a path: an instruction in an instance; all but the last are calls. */
typedef struct Step {
	InstId inst;
	InsId ins;
} Step;
enum { MAX_STEPS = 12 };
/* What control waits for on its way. */
typedef struct Needs {
	Set locks; /* SlotIds: acquired by the thread, or by one that it joins */
	Set ended; /* ThreadIds: joined */
} Needs;
typedef struct Arrival {
	Step steps[MAX_STEPS]; /* the thread's start routine first */
	u32 n;
	Needs need;
	Set open; /* locks that the thread may hold on arrival */
} Arrival;

/* Is t's arrival at ins in inst inevitable?  Fills *out. */
bool inevitable_arrival(Inevitable *v, ThreadId t, InstId inst, InsId ins, Arrival *out);
/* Does the arrival at first certainly come before that at second? */
bool inevitable_before(Inevitable *v, const Arrival *first, const Arrival *second);
/* Is the fork at the arrival's end certain to run twice, with nothing that
 * blocks in between? */
bool inevitable_twice(Inevitable *v, const Arrival *fork);
/* Does the access, once arrived at, certainly touch an object that is there? */
bool inevitable_touch(Inevitable *v, const Access *a);
/* Do all critical sections of the lock end by themselves? */
bool inevitable_lock(Inevitable *v, SlotId lock);

#endif
