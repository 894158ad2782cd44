/* The predicate of a condition variable is set and tested under the lock. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool started;

static void *
service(void *arg)
{
	pthread_mutex_lock(&lock);
	started = true; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_cond_broadcast(&cond);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, service, NULL);
	pthread_mutex_lock(&lock);
	while (!started) // NORACE
		pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
