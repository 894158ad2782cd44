/* A flag under the mutex is polled; the data is written behind it. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, data;
static void *
maker(void *arg)
{

	pthread_mutex_lock(&m);
	ready = 1;
	pthread_mutex_unlock(&m);
	data = 1; // RACE
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
	data++; // RACE
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
