/* Numbers are given again, but each is used under the lock. */
#include <pthread.h>
#include <stdatomic.h>

#define N 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n;
static int a[N];

static void *
worker(void *arg)
{
	int id = atomic_fetch_add(&n, 1); // NORACE

	pthread_mutex_lock(&m);
	a[id]++; // NORACE
	pthread_mutex_unlock(&m);
	atomic_fetch_sub(&n, 1); // NORACE
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
