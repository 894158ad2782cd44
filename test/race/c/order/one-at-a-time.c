/* One thread at a time: each is joined before the next starts. */
#include <pthread.h>

static int g;

static void *
worker(void *arg)
{
	g++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t h;

	for (int i = 0; i < 2; i++) {
		pthread_create(&h, NULL, worker, NULL);
		pthread_join(h, NULL);
	}
	return g; // NORACE
}
