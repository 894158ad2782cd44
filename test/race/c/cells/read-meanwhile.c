/* Elements are distinct among the workers; main reads one meanwhile. */
#include <pthread.h>
#include <stdint.h>

#define N 4

static int a[N];

static void *
worker(void *arg)
{
	a[(intptr_t)arg]++; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];
	int seen;

	for (intptr_t i = 0; i < N; i++)
		pthread_create(&h[i], NULL, worker, (void *)i);
	seen = a[0]; // RACE
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return seen;
}
