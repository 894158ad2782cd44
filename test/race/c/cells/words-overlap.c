/* Distinct numbers, but the words that start there overlap. */
#include <pthread.h>
#include <stdint.h>

#define N 4

static _Alignas(int) char buf[sizeof(int) * (N + 1)];

static void *
worker(void *arg)
{
	intptr_t id = (intptr_t)arg;

	*(int *)(buf + id) = 1; // RACE
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
	return 0;
}
