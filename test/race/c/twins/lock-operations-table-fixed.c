/* Locking and unlocking are reached through a table of functions. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static int
nothing(pthread_mutex_t *lock)
{
	return lock == NULL;
}
static const struct {
	int (*take)(pthread_mutex_t *);
	int (*give)(pthread_mutex_t *);
} operations = {pthread_mutex_lock, pthread_mutex_unlock};
static void *
work(void *arg)
{
	operations.take(&m);
	total++; // NORACE
	operations.give(&m);
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
