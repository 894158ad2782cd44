/* An inline function, of which no unit has the external definition, counts in a global under the lock. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long served;

inline void
serve(void)
{
	pthread_mutex_lock(&lock);
	served++; // NORACE
	pthread_mutex_unlock(&lock);
}

static void *
worker(void *arg)
{
	serve();
	return arg;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&lock);
	served++; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
