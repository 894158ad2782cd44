/* conc.h - everything that a pair stage needs to know of each access.
 *
 * conc_solve runs the analyses of this directory in order and lists the
 * accesses of every thread: one per (instruction, instance, entry state),
 * merged where nothing below differs. */
#ifndef CONC_CONC_H
#define CONC_CONC_H

#include "conc/access.h"
#include "conc/distinct.h"
#include "conc/fresh.h"
#include "conc/lock.h"
#include "conc/order.h"

typedef struct Access {
	InsId ins;
	InstId inst;
	Val addr; /* operand whose pts are the accessed slots */
	u32 flags;
	u64 size; /* bytes; 0: unknown, to the end of the object */
	ThreadId thread;
	OrderId order;
	LocksetId held;
	GuardId guards;
	u32 extent; /* bytes of one object that it stays within; 0 unknown */
	u32 family; /* two instances of the thread keep apart within it; 0 none */
	u32 way;    /* last: index in Conc.ways, by which calls, in this state */
} Access;

/* A call that is made in some state of the caller, and how that was called. */
typedef struct Way {
	u32 from; /* index of the caller's */
	u32 edge; /* plus 1; 0: the thread starts here */
} Way;

typedef struct Conc {
	const Ir *ir;
	const Pta *pta;
	Arena *arena;
	Threads *threads;
	Order *order;
	Fresh *fresh;
	Locks *locks;
	struct Entries *entries; /* in which states functions are entered; null: not kept */
	struct Flags *flags;     /* null: there are none */
	struct Phases *phases;   /* null: no barrier is understood */
	Vec(Access) accesses;    /* sorted by ins, flags, inst, thread, ... */
	bool complete;           /* false: stopped by the memory limit */
	u32 merged_entries;      /* instances whose entry states were merged at the bound */
	const bool *ending; /* [edge]: a call that ends the process (ending.h); null: none is */
	const bool *
	    guess; /* [edge]: through a pointer of which too little is known (guess.h); null: none is */
	Way *ways; /* from 1; one for each entry, or each that is shown */
	u32 nway;
} Conc;

typedef struct ConcOptions {
	u32 jobs;
	u32 max_entries; /* kept apart per instance; 0: default */
	u32 max_runs;    /* of threads that are all kept apart (threads.h); 0: default */
} ConcOptions;

/* Nothing is solved yet: for a call graph that was kept. */
Conc *conc_new(Arena *a, const Pta *p);
Conc *conc_solve(Arena *a, const Pta *p, const ConcOptions *opt);

/* May t enter inst while other runs, which it started? */
bool conc_enters_beside(const Conc *c, ThreadId t, InstId inst, ThreadId other);
/* The thread of a crew that the call path to the access is of. */
ThreadId conc_thread(const Conc *c, const Access *acc);
/* A call path from the thread's start to the access, on which what is said of it holds, if need be
 * and there is one, without a call that is guessed or ends the process: edges, outermost first. */
u32 conc_path(const Conc *c, const Access *acc, Arena *a, const Edge ***out);

#endif
