/* Main gives the lock back before it writes: the thread can get past it. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	g = 1; // RACE definite
	return arg;
}

int
main(void)
{
	pthread_t h;

	pthread_mutex_lock(&m);
	pthread_create(&h, NULL, worker, NULL);
	pthread_mutex_unlock(&m);
	g = 2; // RACE definite
	pthread_join(h, NULL);
	return 0;
}
