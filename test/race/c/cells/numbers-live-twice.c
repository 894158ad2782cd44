/* Two rounds of threads with the same numbers run at once: each number is live twice. */
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
	pthread_t h[2][N];

	for (int k = 0; k < 2; k++)
		for (intptr_t i = 0; i < N; i++)
			pthread_create(&h[k][i], NULL, worker, (void *)i);
	for (int k = 0; k < 2; k++)
		for (int i = 0; i < N; i++)
			pthread_join(h[k][i], NULL);
	return 0;
}
