/* Main reads the elements when all workers have ended. */
#include <pthread.h>

#define N 4

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a[N];

static void *
worker(void *arg)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&m);
		a[i]++; // NORACE
		pthread_mutex_unlock(&m);
	}
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
	return a[0]; // NORACE
}
