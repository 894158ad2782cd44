/* Both threads are joined, each by its handle. */
#include <pthread.h>

static int g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	g++; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t h1, h2;

	pthread_create(&h1, NULL, worker, NULL);
	pthread_create(&h2, NULL, worker, NULL);
	pthread_join(h1, NULL);
	pthread_join(h2, NULL);
	g = 0; // NORACE
	return 0;
}
