/* interleave.h - runs a small program under every schedule and every input.
 *
 * The oracle of the tests: what it reports is the meaning of the IR, against
 * which the analyses are checked.  Runs are sequentially consistent; vector
 * clocks follow fork, join, locks, events and release-acquire atomics.  Two
 * accesses race if they overlap, come from two threads, one is a write, not
 * both are atomic, and neither happens before the other in some run.  Writes
 * are also: free (all bytes of the object, if it was allocated) and the handle that a fork stores
 * (not ordered with the new thread).
 *
 * Choices, all of them taken: nondet and undefined values from the domain,
 * failure of whatever has INS_TRY, failure of a fork whose `cond` tells it,
 * spurious wake-ups, which waiters a condition wakes.  A thread stops for
 * good at undefined behaviour (after its races are noted), at a failed
 * assume, at exit, and at the root's return: stopping where the process ends
 * leaves the others exactly what they could have done before.  Fresh memory
 * reads as zero; addresses are not reused.  Joining a thread twice, or one that
 * was detached, is undefined, unless the join says that it may be repeated.
 *
 * A final field that was stored in a constructor at whose end no other thread
 * could reach the object does not race with reads; what is reached through it
 * is not taken into account.  The end of a class's initialiser comes before
 * what follows each cinit of it. */
#ifndef IR_INTERLEAVE_H
#define IR_INTERLEAVE_H

#include "base/map.h"
#include "base/set.h"
#include "ir/ir.h"

struct InterleavePair;

typedef struct InterleaveLimits {
	u32 max_states;    /* visited in all; without memo: transitions */
	u64 max_bytes;     /* of all states that are looked up; 0: any number */
	u32 max_depth;     /* visible steps of one run */
	u32 max_local;     /* instructions between two visible steps */
	u32 max_threads;   /* of one run, at most 8 */
	const i64 *domain; /* values of nondet and undef */
	u32 ndomain;
	/* Inputs are not taken from the domain, but unknown, as is fresh memory: what depends on
	 * them goes either way.  The search gives up where an address is unknown, and at undefined
	 * behaviour with which programs are known to go on.  If it is complete, no run of the
	 * program has another race, whatever its inputs are. */
	bool unknown;
	/* The search ends when all of these are found, certain where they say so; none: it goes on. */
	const struct InterleavePair *asked;
	u32 nasked;
	/* [InsId]: accesses that race with none, in no run: others may take turns around them as they
	 * like.  May be null. */
	const bool *quiet;
	bool meet; /* with `unknown`: asked for what meets in order; there are more states */
	/* Turn the reductions off, to check them: */
	bool every_step; /* schedule before each access and synchronisation */
	bool no_memo;    /* do not merge equal states */
} InterleaveLimits;

/* A race between instructions a <= b. */
typedef struct InterleavePair {
	InsId a, b;
	bool adjacent; /* in some run both threads stand before their accesses */
	bool certain;  /* with `unknown`: adjacent in a run that no input decides */
} InterleavePair;

typedef struct InterleaveResult {
	Arena *arena;              /* set by the caller; owns pairs */
	Vec(InterleavePair) pairs; /* sorted, each once */
	Set done;                  /* accesses that some run makes, but for quiet ones */
	Map ordered;               /* map_pair(a, b): they meet in order, in some run */
	u32 states, transitions;
	u64 bytes;
	const char *why; /* null, or why the search is not complete: static text */
} InterleaveResult;

extern const InterleaveLimits interleave_defaults; /* domain {0, 1} */

/* Runs root, a function with a body, with its parameters zero.  Returns whether the search was
 * complete; if it was not, pairs holds true races, but maybe not all. */
bool interleave_run(const Ir *ir, FnId root, const InterleaveLimits *limits,
		    InterleaveResult *result);

/* The pair (a, b) or (b, a) of result; null if it does not race. */
const InterleavePair *interleave_find(const InterleaveResult *result, InsId a, InsId b);

/* Do two threads come to one place by a and b in one run, one behind the other? */
bool interleave_meet(const InterleaveResult *result, InsId a, InsId b);

#endif
