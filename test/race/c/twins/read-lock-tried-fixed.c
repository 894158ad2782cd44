/* A read lock is tried; the value is read where that succeeded. */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;
static void *
reads(void *arg)
{
	int seen = 0;
	if (pthread_rwlock_tryrdlock(&lock) == 0) {
		seen = value; // NORACE
		pthread_rwlock_unlock(&lock);
	}

	return seen ? arg : NULL;
}
static void *
writes(void *arg)
{
	pthread_rwlock_wrlock(&lock);
	value++; // NORACE
	pthread_rwlock_unlock(&lock);
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reads, NULL);
	pthread_create(&b, NULL, writes, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
