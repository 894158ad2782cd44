/* The second thread waits, under the lock, for a flag that is set after the write. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, rdy;

static void *
first(void *arg)
{
	x = 1; // NORACE-LIKELY
	pthread_mutex_lock(&m);
	rdy = 1; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
second(void *arg)
{
	int seen = 0;

	while (!seen) {
		pthread_mutex_lock(&m);
		seen = rdy; // NORACE
		pthread_mutex_unlock(&m);
	}
	x = 2; // NORACE-LIKELY
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
