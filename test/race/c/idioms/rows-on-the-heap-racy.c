/* A matrix of rows that are allocated one by one; all are the first one. */
#include <pthread.h>
#include <stdlib.h>

static double **rows;
static int n;

static void *
fill(void *arg)
{
	long id = (long)arg;

	for (int k = 0; k < 64; k++)
		rows[id][k] = k; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[64];

	n = argc > 1 ? atoi(argv[1]) : 4;
	rows = malloc((size_t)n * sizeof *rows);
	if (!rows || n > 64)
		return 1;
	for (int i = 0; i < n; i++)
		rows[i] = i ? rows[0] : calloc(64, sizeof **rows);
	for (long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, fill, (void *)i);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	return (int)rows[0][0]; // NORACE
}
