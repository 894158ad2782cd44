/* One function, called by main while it is alone and by threads under a lock. */
#include <pthread.h>

static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void
inc(void)
{
	g++; // NORACE
}

static void *
worker(void *arg)
{
	pthread_mutex_lock(&A);
	inc();
	pthread_mutex_unlock(&A);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	inc();
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return g; // NORACE
}
