/* Each thread counts in a thread-local, and publishes the number. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int count;
static int seen;
static void *
counts(void *arg)
{
	pthread_mutex_lock(&m);
	seen = count;
	pthread_mutex_unlock(&m);
	count++; // NORACE
	return arg;
}
static void *
looks(void *arg)
{
	int it;
	pthread_mutex_lock(&m);
	it = seen;
	pthread_mutex_unlock(&m);
	return it ? arg : NULL; // NORACE
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, counts, NULL);
	pthread_create(&b, NULL, looks, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
