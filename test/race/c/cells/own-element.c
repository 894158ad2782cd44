/* Each thread is given an element of its own. */
#include <pthread.h>

static int a[2];

static void *
worker(void *arg)
{
	int *own = arg;

	*own = *own + 1; // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t h[2];

	pthread_create(&h[0], NULL, worker, &a[0]);
	pthread_create(&h[1], NULL, worker, &a[1]);
	pthread_join(h[0], NULL);
	pthread_join(h[1], NULL);
	return a[0]; // NORACE
}
