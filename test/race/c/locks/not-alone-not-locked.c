/* One function, called by threads under a lock and by main without it. */
#include <pthread.h>

static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void
inc(void)
{
	g++; // RACE
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

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	inc();
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return g; // NORACE
}
