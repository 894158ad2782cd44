/* Each thread has rows of a matrix that is one array. But a row is longer than the distance between two. */
#include <pthread.h>
#include <stdlib.h>

static double *x;
static int threads, size;

static void *
worker(void *arg)
{
	long id = (long)arg;
	int rows = size / threads;

	for (int i = id * rows; i < (id + 1) * rows; i++)
		for (int j = 0; j <= size; j++)
			x[i * size + j] = 1; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t *t;

	threads = argc > 1 ? atoi(argv[1]) : 4;
	size = argc > 2 ? atoi(argv[2]) : 100;
	x = malloc(sizeof *x * size * size);
	t = malloc(threads * sizeof *t);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	return (int)x[0];
}
