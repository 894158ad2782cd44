/* Each number is given twice, but to one thread at a time. */
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
	pthread_t h;

	for (int k = 0; k < 2; k++)
		for (intptr_t i = 0; i < N; i++) {
			pthread_create(&h, NULL, worker, (void *)i);
			pthread_join(h, NULL);
		}
	return 0;
}
