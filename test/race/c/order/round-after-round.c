/* Each round writes, starts all and joins all: the rounds stay apart. */
#include <pthread.h>

#define N 4

static int g, sum[N];

static void *
worker(void *arg)
{
	int *to = arg;

	*to += g; // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];

	for (int k = 0; k < 10; k++) {
		g = k; // NORACE
		for (int i = 0; i < N; i++)
			pthread_create(&h[i], NULL, worker, &sum[i]);
		for (int i = 0; i < N; i++)
			pthread_join(h[i], NULL);
	}
	return sum[0];
}
