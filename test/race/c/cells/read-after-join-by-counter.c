/* Main reads an element when its owner has ended. */
#include <pthread.h>
#include <stdint.h>

#define N 4

static int a[N];

static void *
worker(void *arg)
{
	a[(intptr_t)arg]++; // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];
	int seen;

	for (intptr_t i = 0; i < N; i++)
		pthread_create(&h[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	seen = a[0]; // NORACE
	return seen;
}
