/* The threads read the counter itself, which goes on counting. */
#include <pthread.h>

#define N 4

static int out[N + 1];

static void *
worker(void *arg)
{
	int *id = arg;

	out[*id]++; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++) // RACE
		pthread_create(&h[i], NULL, worker, &i);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return out[0];
}
