/* The inner method gives the recursive lock back once too often. */
#include <pthread.h>

struct account {
	pthread_mutex_t m;
	int f, calls;
};

static struct account acc;

static void
inner(struct account *o)
{
	pthread_mutex_lock(&o->m);
	o->calls++; // NORACE
	pthread_mutex_unlock(&o->m);
	pthread_mutex_unlock(&o->m);
}

static void
outer(struct account *o)
{
	pthread_mutex_lock(&o->m);
	inner(o);
	o->f++; // RACE
	pthread_mutex_unlock(&o->m);
}

static void *
worker(void *arg)
{
	outer(arg);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&acc.m, &attr);
	pthread_create(&a, NULL, worker, &acc);
	pthread_create(&b, NULL, worker, &acc);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
