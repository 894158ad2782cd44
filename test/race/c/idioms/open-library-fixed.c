/* A library without main: its functions may run in parallel, and each locks. */
// FLAGS: --open
#include <pthread.h>

struct pool {
	pthread_mutex_t lock;
	int idle;
};

static int pools;

void
pool_init(struct pool *p)
{
	pthread_mutex_init(&p->lock, NULL);
	__atomic_fetch_add(&pools, 1, __ATOMIC_RELAXED); // NORACE
}

int
pool_take(struct pool *p)
{
	int got = 0;

	pthread_mutex_lock(&p->lock);
	if (p->idle > 0) { // NORACE
		p->idle--; // NORACE
		got = 1;
	}
	pthread_mutex_unlock(&p->lock);
	return got;
}

void
pool_give(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->idle++; // NORACE
	pthread_mutex_unlock(&p->lock);
}
