/* threads.h - abstract threads, how often things run, what is shared.
 *
 * A thread is named by its chain of links from main; a link is a fork
 * instruction in an instance with one start routine.  A link that its chain
 * already has folds back to that thread, which then stands for many. */
#ifndef CONC_THREADS_H
#define CONC_THREADS_H

#include "conc/acts.h"
#include "pta/pta.h"

typedef u32 ThreadId; /* 1 is main */

typedef struct Thread {
	ThreadId parent; /* 0 for main */
	InsId fork;      /* in instance fork_inst of the parent */
	InstId fork_inst;
	InstId start;
	ThreadId crew; /* it is analysed as a part of that one (crew.h); as a rule itself */
	u32 depth;
	bool once; /* its link runs at most once in one instance of its parent */
	bool
	    unique; /* at most one such thread ever runs: every link of its chain is once, or first */
	bool first;    /* its link starts at most one thread in all: that of one object */
	bool folded;   /* the chain came back to it, or it is adopted */
	bool adopted;  /* it also stands for what descendants of its parent start */
	bool assumed;  /* unknown code is what is started, and is assumed to call that */
	bool doubtful; /* it is hardly meant to be started (guess.h), or its parent is not */
} Thread;

typedef struct Threads {
	const Pta *pta;
	Arena *arena;
	Vec(Thread) at;            /* [ThreadId], parents before children */
	Set *insts;                /* [ThreadId]: the instances it may run, forks not followed */
	Set *skipped;              /* [ThreadId]: edges of these that it never takes: given.h */
	Set *dead;                 /* [ThreadId]: blocks of these, likewise: given_dead */
	Set *many;                 /* [ThreadId]: those that it may run more than once */
	Set *of_obj;               /* [ObjId]: the threads that may make it (stack, heap) */
	u8 *obj_single;            /* [ObjId]: at most one concrete object */
	bool *shared;              /* [ObjId]: memory or arguments of two threads may reach it */
	Acts acts;                 /* acts.h */
	struct Flows *flows;       /* flow.h */
	Set lent;                  /* ObjIds that two threads touch only in turn: lent.h */
	Map children;              /* threads_child */
	struct Captures *captures; /* captured.h */
	struct Given *given;       /* given.h; null: there is but one thread */
	bool bounded;              /* more threads than we name apart: listed as an assumption */
	bool blurred;              /* also of those that are not doubtful */
	u32 joined;                /* threads that are a part of another's crew */
} Threads;

/* With more than max_runs instances that all of them run, of each the sum, threads that are alike
 * become one; 0: default.  `guess` as guess_calls says. */
Threads *threads_build(Arena *a, const Pta *p, const bool *guess, u32 max_runs);

static inline const Thread *
thread_get(const Threads *t, ThreadId id)
{
	return &t->at.at[id];
}
/* The child of t by that fork and start, as it is analysed; 0 if t does not run it. */
ThreadId threads_child(const Threads *t, ThreadId parent, InstId inst, InsId fork, InstId start);
/* Does a thread of the crew start with inst? */
bool threads_starts(const Threads *t, ThreadId crew, InstId inst);
/* May t run that block of the instance? */
bool threads_runs(const Threads *t, ThreadId id, InstId inst, BlockId b);
/* Is inst run by none but threads of the set? */
bool threads_run_only(const Threads *t, InstId inst, const Set *threads);
/* By the main thread alone? */
bool threads_main_only(const Threads *t, InstId inst);
/* Does it stand for others, that start with other routines? */
bool threads_is_crew(const Threads *t, ThreadId id);
/* Is a an ancestor of b, or b itself? */
bool threads_within(const Threads *t, ThreadId a, ThreadId b);
/* The nearest common ancestor. */
ThreadId threads_common(const Threads *t, ThreadId a, ThreadId b);
/* At most one concrete object, so that one name is one lock. */
bool threads_single(const Threads *t, ObjId o);
/* May two threads reach and touch o?  Stack and heap objects only if a global, a
 * fork's argument or unknown code reaches them (share.c). */
bool threads_shared(const Threads *t, ObjId o);
/* Is all that is done to o ordered by a fork and a join, whoever does it? */
bool threads_lent(const Threads *t, ObjId o);

#endif
