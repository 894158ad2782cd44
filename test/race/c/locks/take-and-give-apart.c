/* A callee takes one lock and gives back another, never the same. */
#include <pthread.h>

struct box {
	pthread_mutex_t m;
	int x;
};

static struct box a = {.m = PTHREAD_MUTEX_INITIALIZER};
static struct box b = {.m = PTHREAD_MUTEX_INITIALIZER};
static struct box c = {.m = PTHREAD_MUTEX_INITIALIZER};

static void
take_give(struct box *p, struct box *q)
{
	pthread_mutex_lock(&p->m);
	pthread_mutex_unlock(&q->m);
	p->x = 1; // NORACE
}

static void *
apart(void *arg)
{
	pthread_mutex_lock(&b.m);
	take_give(&a, &b);
	pthread_mutex_unlock(&a.m);
	return arg;
}

static void *
alike(void *arg)
{
	pthread_mutex_lock(&b.m);
	take_give(&c, &b);
	pthread_mutex_unlock(&c.m);
	return arg;
}

static void *
other(void *arg)
{
	pthread_mutex_lock(&a.m);
	a.x = 2; // NORACE
	pthread_mutex_unlock(&a.m);
	pthread_mutex_lock(&c.m);
	c.x = 2; // NORACE
	pthread_mutex_unlock(&c.m);
	return arg;
}

int
main(void)
{
	pthread_t h1, h2, h3;

	pthread_create(&h1, NULL, apart, NULL);
	pthread_create(&h2, NULL, alike, NULL);
	pthread_create(&h3, NULL, other, NULL);
	pthread_join(h1, NULL);
	pthread_join(h2, NULL);
	pthread_join(h3, NULL);
	return 0;
}
