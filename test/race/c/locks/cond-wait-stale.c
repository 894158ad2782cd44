/* A wait ends the critical section and begins another: stale logic, but no data race. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready, total;

static void *
waiter(void *arg)
{
	int n;

	pthread_mutex_lock(&m);
	n = total; // NORACE
	while (!ready) // NORACE
		pthread_cond_wait(&c, &m);
	n += total; // NORACE
	total = n; // NORACE
	pthread_mutex_unlock(&m);
	return n ? arg : NULL;
}

static void *
signaller(void *arg)
{
	pthread_mutex_lock(&m);
	ready = 1; // NORACE
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	total++; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, waiter, NULL);
	pthread_create(&b, NULL, signaller, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
