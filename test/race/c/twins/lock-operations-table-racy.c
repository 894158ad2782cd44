/* Through the table of functions the lock is given back, but never taken. */
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
} operations = {nothing, nothing};
static void *
work(void *arg)
{
	operations.take(&m);
	total++; // RACE
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
