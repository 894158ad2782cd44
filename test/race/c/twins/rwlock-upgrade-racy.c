/* A reader writes while it still holds the lock for reading only. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int cache;

static void *
get(void *arg)
{
	int v;

	pthread_rwlock_rdlock(&l);
	v = cache; // RACE
	if (!v) {
		cache = 1; // RACE
	}
	pthread_rwlock_unlock(&l);
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
