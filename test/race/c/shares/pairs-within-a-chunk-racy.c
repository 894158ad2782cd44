/* Each thread sorts its chunk. But compares beyond it. */
#include <pthread.h>
#include <stdlib.h>

static int *x;
static int size, threads;

static void *
worker(void *arg)
{
	long id = (long)arg;
	int chunk = size / threads, from = id * chunk, to = from + chunk;

	for (int i = from; i < to; i++)
		for (int j = i + 1; j <= to; j++) {
			int least = x[j] < x[i] ? x[j] : x[i]; // RACE
			x[j] = x[j] < x[i] ? x[i] : x[j]; // RACE
			x[i] = least; // RACE
		}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[64];

	threads = argc > 1 ? atoi(argv[1]) : 4;
	size = argc > 2 ? atoi(argv[2]) : 100;
	x = calloc(size, sizeof *x);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return x[0];
}
