/* The number of threads is set before they start. */
#include <pthread.h>
#include <stdlib.h>

static double x[1000];
static int threads;

static void *
worker(void *arg)
{
	long id = (long)arg;
	int chunk = 1000 / threads;

	for (int k = 0; k < chunk; k++)
		x[id * chunk + k] = 1; // NORACE
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
