/* Each thread has a column. But there are more threads than columns. */
#include <pthread.h>
#include <stdlib.h>

static double x[100][8];
static const int threads = 9;

static void *
worker(void *arg)
{
	long id = (long)arg;

	for (int j = 0; j < 100; j++)
		x[j][id] = 1; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t *t;

	t = malloc(threads * sizeof *t);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	free(t);
	return (int)x[0][0];
}
