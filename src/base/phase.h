/* phase.h - where time and memory go.
 *
 * A phase is a named stretch of a run; phases may nest.  Times are wall and
 * CPU time, the latter with that of children that have ended; memory is the
 * largest that the process, or any of its ended children, has had so far.
 * Progress is a callback: nothing here prints by itself. */
#ifndef BASE_PHASE_H
#define BASE_PHASE_H

#include "vec.h"

#include <stdio.h>

typedef struct Phase {
	const char *name;
	u32 depth;     /* how many phases it is inside of */
	u64 wall, cpu; /* in nanoseconds */
	u64 peak;      /* bytes at its end: ours plus the largest child's */
	u64 count;     /* what phase_count said, 0 if nothing */
	const char *unit;
} Phase;

/* Called when a phase begins (done and total 0), on phase_progress, and with a null phase when
 * none is left. */
typedef void PhaseFn(void *ctx, const char *phase, u64 done, u64 total);

enum { PHASE_DEPTH = 16 };

typedef struct Phases {
	Arena *arena;
	Vec(Phase) list;       /* in the order in which they began */
	u32 open[PHASE_DEPTH]; /* positions in list */
	u32 depth;
	PhaseFn *report; /* may be null */
	void *ctx;
} Phases;

/* Names passed in are kept, not copied. */
void phases_init(Phases *p, Arena *a, PhaseFn *report, void *ctx);
void phase_begin(Phases *p, const char *name);
/* Ends the phase begun last. */
void phase_end(Phases *p);
/* Says how many units (functions, pairs, ...) the open phase dealt with. */
void phase_count(Phases *p, u64 count, const char *unit);
/* Calls report as if a phase of that name began, or with null as if it ended; it is not listed. */
void phase_show(Phases *p, const char *name);
/* Says that done of total steps of the open phase, if there is one, are over. */
void phase_progress(Phases *p, u64 done, u64 total);
/* Prints a table of all phases that have ended. */
void phases_print(const Phases *p, FILE *to);

/* Nanoseconds of a clock that only goes forward. */
u64 time_wall(void);
/* Nanoseconds of CPU time of this process and its ended children. */
u64 time_cpu(void);
/* The largest resident memory so far, in bytes: this process's own plus that
 * of its largest ended child. */
u64 memory_peak(void);

#endif
