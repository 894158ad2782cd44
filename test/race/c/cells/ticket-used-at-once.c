/* A number is used in the critical section in which it was read. */
#include <pthread.h>

#define N 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, a[N];

static void *
worker(void *arg)
{
	int id;

	pthread_mutex_lock(&m);
	id = n; // NORACE
	a[id] = 1; // NORACE
	n++; // NORACE
	pthread_mutex_unlock(&m);
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
