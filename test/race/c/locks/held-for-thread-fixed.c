/* A lock that the creator holds over the whole life of a thread keeps that thread's accesses
 * apart from all who hold the lock themselves: joined before the release, through a thread in
 * between, by two creators, with a lock that counts, and never given back. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t counts = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static int direct, below, both, counted, never;

static void *
set_direct(void *arg)
{
	direct = 1; // NORACE
	return arg;
}

static void *
set_below(void *arg)
{
	below = 1; // NORACE
	return arg;
}

static void *
between(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, set_below, NULL);
	pthread_join(t, NULL);
	return arg;
}

static void *
set_both(void *arg)
{
	both = 1; // NORACE
	return arg;
}

static void *
set_counted(void *arg)
{
	counted = 1; // NORACE
	return arg;
}

static void *
set_never(void *arg)
{
	never = 1; // NORACE
	return arg;
}

static void *
other(void *arg)
{
	pthread_t t;

	pthread_mutex_lock(&m);
	direct++; // NORACE
	below++;  // NORACE
	pthread_create(&t, NULL, set_both, NULL);
	pthread_join(t, NULL);
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&counts);
	counted++; // NORACE
	pthread_mutex_unlock(&counts);
	pthread_mutex_lock(&kept);
	never++; // NORACE
	pthread_mutex_unlock(&kept);
	return arg;
}

int
main(void)
{
	pthread_t o, a, b, c, d, e;

	pthread_create(&o, NULL, other, NULL);
	pthread_mutex_lock(&m);
	pthread_create(&a, NULL, set_direct, NULL);
	pthread_create(&b, NULL, between, NULL);
	pthread_create(&c, NULL, set_both, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&counts);
	pthread_create(&d, NULL, set_counted, NULL);
	pthread_mutex_lock(&counts);
	pthread_mutex_unlock(&counts);
	pthread_join(d, NULL);
	pthread_mutex_unlock(&counts);
	pthread_mutex_lock(&kept);
	pthread_create(&e, NULL, set_never, NULL);
	return 0;
}
