/* A read lock on both sides excludes nobody, and one side writes. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int g;

static void *
reader(void *arg)
{
	int seen;

	pthread_rwlock_rdlock(&l);
	seen = g; // RACE
	pthread_rwlock_unlock(&l);
	return seen ? arg : NULL;
}

static void *
writer(void *arg)
{
	pthread_rwlock_rdlock(&l);
	g = 1; // RACE
	pthread_rwlock_unlock(&l);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, writer, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
