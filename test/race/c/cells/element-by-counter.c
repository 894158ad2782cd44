/* Each thread has an element of its own. */
#include <pthread.h>
#include <stdint.h>

#define N 4

static int a[N + 1];

static void *
worker(void *arg)
{
	intptr_t id = (intptr_t)arg;

	a[id] = a[id] + 1; // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];

	for (intptr_t i = 0; i < N; i++)
		pthread_create(&h[i], NULL, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return a[0]; // NORACE
}
