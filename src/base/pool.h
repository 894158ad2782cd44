/* pool.h - worker threads for loops whose turns do not depend on each other.
 *
 * Turn i writes only to its own place, so the result is the same for any
 * number of workers; which worker takes which turn is not determined.  Memory
 * comes from an arena per worker (arenas are for one thread), hence the worker
 * number: a result that must not depend on it is copied out in order of i. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include "arena.h"

typedef struct Pool Pool;
typedef void PoolFn(void *ctx, u32 i, u32 worker);

/* A pool of so many workers (at least 1, the caller being worker 0; 0: as many
 * as there are processors).  The pool is in a's memory until pool_release. */
Pool *pool_new(Arena *a, u32 workers);
/* Ends the threads. */
void pool_release(Pool *p);
u32 pool_workers(const Pool *p);
/* Runs fn(ctx, i, worker) for every i from 0 to n - 1, and returns when all
 * have returned; worker < pool_workers(p).  Not to be called from inside fn. */
void pool_run(Pool *p, u32 n, PoolFn *fn, void *ctx);

#endif
