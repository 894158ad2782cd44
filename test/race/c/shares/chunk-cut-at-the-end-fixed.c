/* Chunks are rounded up and cut at the end of the array. */
#include <pthread.h>
#include <stdlib.h>

static double x[1000];
static int threads;

static void *
worker(void *arg)
{
	long id = (long)arg;
	int chunk = (1000 + threads - 1) / threads, from = id * chunk;
	int to = from + chunk;

	if (to > 1000)
		to = 1000;
	for (int i = from; i < to; i++)
		x[i] = 1; // NORACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t *t;

	threads = argc > 1 ? atoi(argv[1]) : 4;
	t = malloc(threads * sizeof *t);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	return (int)x[0];
}
