/* The number that a thread is given is kept in a thread-local variable. */
#include <pthread.h>

enum { WORKERS = 4 };

static long done[WORKERS];
static int number[WORKERS];
static _Thread_local int me;

static int
self(void)
{
	return me;
}

static void
work(void)
{
	done[self()]++; // NORACE
}

static void *
worker(void *arg)
{
	me = *(int *)arg;
	work();
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++) {
		number[i] = i;
		if (pthread_create(&t[i], 0, worker, &number[i]))
			return 1;
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return 0;
}
