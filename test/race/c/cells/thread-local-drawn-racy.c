/* A number is drawn when it is first asked for: never, since the variable begins with 0. */
#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS = 4 };

static long done[64];
static atomic_int next;
static _Thread_local int me;

static int
self(void)
{
	if (me < 0)
		me = atomic_fetch_add(&next, 1);
	return me;
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 3; i++)
		done[self()]++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++)
		if (pthread_create(&t[i], 0, worker, 0))
			return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return 0;
}
