/* The caller says by a parameter whether to lock, and one says no. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void
bump(int lock)
{
	if (lock)
		pthread_mutex_lock(&m);
	g++; // RACE possible
	if (lock)
		pthread_mutex_unlock(&m);
}

static void *
one(void *arg)
{
	bump(1);
	return arg;
}

static void *
two(void *arg)
{
	bump(0);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
