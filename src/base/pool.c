/* pool.c - see pool.h.
 *
 * Threads wait for a new round; in a round each takes the next turn from one
 * atomic counter until none is left.  A thread that cannot be started is only
 * a worker less.  `round` tells a thread that has slept through the end of one
 * round from one that has not woken yet; `busy` counts the threads that have
 * not yet left the current one, and the caller waits for 0. */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { POOL_MOST = 256 };

typedef struct Worker {
	Pool *pool;
	u32 number;
	pthread_t thread;
} Worker;

struct Pool {
	Worker *workers; /* workers[0] is the caller, without a thread */
	u32 n_workers;
	pthread_mutex_t mutex;
	pthread_cond_t start, finished;
	/* under mutex: */
	u64 round;
	u32 busy;
	bool quit;
	/* constant during a round: */
	PoolFn *fn;
	void *ctx;
	u32 n;
	atomic_uint next;
};

static void
take_turns(Pool *p, u32 worker)
{
	for (;;) {
		u32 i = atomic_fetch_add(&p->next, 1);
		if (i >= p->n)
			return;
		p->fn(p->ctx, i, worker);
	}
}

static void *
serve(void *arg)
{
	Worker *w = arg;
	Pool *p = w->pool;
	u64 seen = 0;

	pthread_mutex_lock(&p->mutex);
	for (;;) {
		while (p->round == seen && !p->quit)
			pthread_cond_wait(&p->start, &p->mutex);
		if (p->quit)
			break;
		seen = p->round;
		pthread_mutex_unlock(&p->mutex);
		take_turns(p, w->number);
		pthread_mutex_lock(&p->mutex);
		if (--p->busy == 0)
			pthread_cond_signal(&p->finished);
	}
	pthread_mutex_unlock(&p->mutex);
	return NULL;
}

Pool *
pool_new(Arena *a, u32 workers)
{
	Pool *p = arena_new(a, Pool);

	if (!workers)
		workers = (u32)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1);
	workers = MIN(workers, POOL_MOST);
	p->workers = arena_array(a, Worker, workers);
	p->n_workers = 1;
	pthread_mutex_init(&p->mutex, NULL);
	pthread_cond_init(&p->start, NULL);
	pthread_cond_init(&p->finished, NULL);
	while (p->n_workers < workers) {
		Worker *w = &p->workers[p->n_workers];
		*w = (Worker){.pool = p, .number = p->n_workers};
		if (pthread_create(&w->thread, NULL, serve, w))
			break;
		p->n_workers++;
	}
	return p;
}

void
pool_release(Pool *p)
{
	pthread_mutex_lock(&p->mutex);
	p->quit = true;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->mutex);
	for (u32 i = 1; i < p->n_workers; i++)
		pthread_join(p->workers[i].thread, NULL);
	pthread_cond_destroy(&p->finished);
	pthread_cond_destroy(&p->start);
	pthread_mutex_destroy(&p->mutex);
}

u32
pool_workers(const Pool *p)
{
	return p->n_workers;
}

void
pool_run(Pool *p, u32 n, PoolFn *fn, void *ctx)
{
	/* Counting past n must not wrap round: each worker overshoots by one. */
	assert(n <= UINT32_MAX - POOL_MOST);
	p->fn = fn;
	p->ctx = ctx;
	p->n = n;
	atomic_store(&p->next, 0);
	if (p->n_workers == 1 || n <= 1) {
		take_turns(p, 0);
		return;
	}
	pthread_mutex_lock(&p->mutex);
	assert(!p->busy);
	p->busy = p->n_workers - 1;
	p->round++;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->mutex);
	take_turns(p, 0);
	pthread_mutex_lock(&p->mutex);
	while (p->busy)
		pthread_cond_wait(&p->finished, &p->mutex);
	pthread_mutex_unlock(&p->mutex);
}
