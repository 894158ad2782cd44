/* Each round writes after it has started its workers. */
#include <pthread.h>

#define N 4

static int g, sum[N];

static void *
worker(void *arg)
{
	int *to = arg;

	*to += g; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];

	for (int k = 0; k < 10; k++) {
		for (int i = 0; i < N; i++)
			pthread_create(&h[i], NULL, worker, &sum[i]);
		g = k; // RACE
		for (int i = 0; i < N; i++)
			pthread_join(h[i], NULL);
	}
	return sum[0];
}
