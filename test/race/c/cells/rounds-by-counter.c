/* Two rounds of threads with the same numbers, the first joined before the second. */
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

	for (int k = 0; k < 2; k++) {
		for (intptr_t i = 0; i < N; i++)
			pthread_create(&h[i], NULL, worker, (void *)i);
		for (int i = 0; i < N; i++)
			pthread_join(h[i], NULL);
	}
	return 0;
}
