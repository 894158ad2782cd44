/* A chunk is one longer than what is drawn. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static double x[10000];
static long next;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
worker(void *arg)
{
	for (;;) {
		long from, to;

		pthread_mutex_lock(&m);
		from = next;
		next += 128;
		pthread_mutex_unlock(&m);
		if (from >= 10000)
			break;
		to = from + 129 < 10000 ? from + 129 : 10000;
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
