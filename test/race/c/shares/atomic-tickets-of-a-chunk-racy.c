/* The test is the wrong way round: all run to the end. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static double x[10000];
static atomic_long next;

static void *
worker(void *arg)
{
	long from;

	while ((from = atomic_fetch_add(&next, 100)) < 10000) {
		long to = from + 100;

		if (to < 10000)
			to = 10000;
		for (long i = from; i < to; i++)
			x[i] = i; // RACE
	}
	return arg;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return (int)x[0];
}
