/* Main holds the lock from the fork until behind its own write; the grandchild
 * must take it first, so that its write always comes second. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void *
grandchild(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	g = 1; // NORACE
	return arg;
}

static void *
child(void *arg)
{
	pthread_t h;

	pthread_create(&h, NULL, grandchild, NULL);
	return arg;
}

int
main(void)
{
	pthread_t h;

	pthread_mutex_lock(&m);
	pthread_create(&h, NULL, child, NULL);
	g = 2; // NORACE
	pthread_mutex_unlock(&m);
	pthread_exit(NULL);
}
