/* Each thread has its rows in both halves of a grid. But one too many. */
#include <pthread.h>

#define THREADS 4

static int grid[2][64][64];

static void *
worker(void *arg)
{
	long id = (long)arg;
	int half = 0;

	for (int k = 0; k < 10; k++) {
		for (int r = id * 16; r <= (id + 1) * 16; r++)
			for (int c = 0; c < 64; c++)
				grid[half][r][c]++; // RACE
		half = 1 - half;
	}
	return NULL;
}

int
main(void)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return grid[0][0][0];
}
