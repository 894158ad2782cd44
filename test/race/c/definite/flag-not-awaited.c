/* The flag is set, but the second thread does not wait for it. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, rdy;

static void *
first(void *arg)
{
	x = 1; // RACE definite
	pthread_mutex_lock(&m);
	rdy = 1; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
second(void *arg)
{
	pthread_mutex_lock(&m);
	rdy = 2; // NORACE
	pthread_mutex_unlock(&m);
	x = 2; // RACE definite
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
