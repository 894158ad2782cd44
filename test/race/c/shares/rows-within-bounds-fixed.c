/* Rows of a matrix of which only a part is used. */
#include <pthread.h>
#include <stdlib.h>

static double x[64][100];
static int threads, size;

static void *
worker(void *arg)
{
	long id = (long)arg;

	for (int j = 0; j < size; j++)
		x[id][j] = 1; // NORACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t *t;

	threads = argc > 1 ? atoi(argv[1]) : 4;
	size = argc > 2 ? atoi(argv[2]) : 100;
	t = malloc(threads * sizeof *t);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	return (int)x[0][0];
}
