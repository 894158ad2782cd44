/* The loop that starts threads is left before a start, so that all handles are joined. */
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *
worker(void *arg)
{
	(void)arg;
	__atomic_store_n(&x, 1, __ATOMIC_RELAXED); // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t t[64];
	int i = 1;

	pthread_create(&t[0], NULL, worker, NULL);
	for (; i < 8; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int k = 0; k < 8; k++)
		pthread_join(t[k], NULL);
	return x; // NORACE
}
