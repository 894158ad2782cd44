/* Each round writes after it has started its workers. */
#include <pthread.h>

#define N 4

static int g;

static void *
worker(void *arg)
{
	if (g > 3) // RACE
		return NULL;
	return arg;
}

int
main(void)
{
	pthread_t h[N];

	for (int k = 0; k < 10; k++) {
		for (int i = 0; i < N; i++)
			pthread_create(&h[i], NULL, worker, &g);
		g = k; // RACE
		for (int i = 0; i < N; i++)
			pthread_join(h[i], NULL);
	}
	return 0;
}
