/* Both threads are started before either is joined. */
#include <pthread.h>

static int g;

static void *
worker(void *arg)
{
	g++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t h[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&h[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(h[i], NULL);
	return g; // NORACE
}
