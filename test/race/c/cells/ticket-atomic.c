/* A counter that only grows gives every thread a number of its own. */
#include <pthread.h>
#include <stdatomic.h>

#define N 4

static atomic_int n;
static int a[N];

static void *
worker(void *arg)
{
	int id = atomic_fetch_add(&n, 1);

	a[id]++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return 0;
}
