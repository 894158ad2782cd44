/* The function that accesses, deep in its recursion, may release first: what follows
 * is no longer guarded. */
#include <pthread.h>

struct counter {
	pthread_mutex_t *lock;
	void (*acquire)(struct counter *);
	void (*access)(struct counter *, int);
	void (*release)(struct counter *);
	int value;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
f(struct counter *c)
{
	pthread_mutex_lock(c->lock);
}

static void
g(struct counter *c, int depth)
{
	if (depth > 0)
		c->access(c, depth - 1);
	if (depth == 2)
		c->release(c);
	c->value += depth; // RACE
}

static void
h(struct counter *c)
{
	pthread_mutex_unlock(c->lock);
}

static struct counter shared = {&m, f, g, h, 0};

static void
update(struct counter *c, int depth)
{
	c->acquire(c);
	c->access(c, depth);
	if (depth < 2)
		c->release(c);
}

static void *
worker(void *arg)
{
	struct counter *c = arg;

	for (int i = 0; i < 3; i++)
		update(c, i);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, &shared);
	pthread_create(&b, NULL, worker, &shared);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
