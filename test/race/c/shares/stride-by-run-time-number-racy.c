/* Each thread takes every so many-th element. But there is a thread more than the stride. */
#include <pthread.h>
#include <stdlib.h>

static double x[1000];
static int threads;

static void *
worker(void *arg)
{
	for (int i = (long)arg; i < 1000; i += threads)
		x[i] = 1; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t *t;

	threads = argc > 1 ? atoi(argv[1]) : 4;
	t = malloc((threads + 1) * sizeof *t);
	for (long i = 0; i <= threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	return (int)x[0];
}
