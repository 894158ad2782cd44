/* Main holds the lock from the creation to the join, and the thread must take it first:
 * no run gets the thread to its write while main is at its own. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	g = 1; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t h;

	pthread_mutex_lock(&m);
	pthread_create(&h, NULL, worker, NULL);
	g = 2; // NORACE
	pthread_join(h, NULL);
	pthread_mutex_unlock(&m);
	return 0;
}
