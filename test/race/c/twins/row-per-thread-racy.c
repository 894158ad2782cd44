/* A matrix with a row for each thread: one writes into the row of its neighbour. */
#include <pthread.h>

#define N 4
static int cell[N + 1][8];

static void *
fill(void *arg)
{
	long id = (long)arg;

	for (int k = 0; k < 8; k++)
		cell[id + (k & 1)][k] = k; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t t[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, fill, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
