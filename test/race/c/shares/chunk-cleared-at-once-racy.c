/* Each thread clears its chunk at once. But a byte too many. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char x[1000];
static int threads;

static void *
worker(void *arg)
{
	long id = (long)arg;
	int chunk = 1000 / threads;

	memset(x + id * chunk, 0, chunk + 1); // RACE
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
