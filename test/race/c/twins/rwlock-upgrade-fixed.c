/* A reader gives the lock back and takes it for writing. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int cache;

static void *
get(void *arg)
{
	int v;

	pthread_rwlock_rdlock(&l);
	v = cache; // NORACE
	pthread_rwlock_unlock(&l);
	if (!v) {
		pthread_rwlock_wrlock(&l);
		cache = 1; // NORACE
		pthread_rwlock_unlock(&l);
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, get, NULL);
	pthread_create(&b, NULL, get, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
