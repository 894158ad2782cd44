/* Each thread works on its share of all cells but the first and the last, and on its neighbour. */
#include <pthread.h>

#define N 128
#define THREADS 4

static float inner[N + 2];

static void *
worker(void *arg)
{
	int id = (int)(long)arg;

	for (int i = id * N / THREADS + 1; i <= (id + 1) * N / THREADS + 1; i++)
		inner[i] = inner[i] / 2; // RACE
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
	return inner[3] > 0;
}
