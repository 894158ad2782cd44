/* The number is read before its drawing. */
#include <pthread.h>
#include <stdatomic.h>

enum { WORKERS = 4 };

static long done[64];
static atomic_int next = 1;
static _Thread_local int me;

static void *
worker(void *arg)
{
	int at = me;
	me = atomic_fetch_add(&next, 1);

	done[at]++; // RACE
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
