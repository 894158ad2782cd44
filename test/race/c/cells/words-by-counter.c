/* Numbers times the size: the words lie side by side. */
#include <pthread.h>
#include <stdint.h>

#define N 4

static _Alignas(int) char buf[sizeof(int) * (N + 1)];

static void *
worker(void *arg)
{
	intptr_t id = (intptr_t)arg;

	*(int *)(buf + sizeof(int) * id) = 1; // NORACE
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
