/* A flag under the mutex is polled; the data was complete before it was set. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;
static void *
maker(void *arg)
{
	data = 1; // NORACE
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);

	return arg;
}
static void *
user(void *arg)
{
	int seen;
	do {
		pthread_mutex_lock(&m);
		seen = ready;
		pthread_mutex_unlock(&m);
	} while (!seen);
	data++; // NORACE
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, maker, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
