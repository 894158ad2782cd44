/* A recursive lock taken twice and released twice before the last update. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t m;
static int total, last;

static void
add(int n)
{
	pthread_mutex_lock(&m);
	total += n; // NORACE
	pthread_mutex_unlock(&m);
}

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	add(2);
	pthread_mutex_unlock(&m);
	last = 2; // RACE
	return arg;
}

int
main(void)
{
	pthread_mutexattr_t attr;
	pthread_t a, b;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return last;
}
