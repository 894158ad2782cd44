/* Readers share the lock, the writer has it alone. */
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int g;

static void *
reader(void *arg)
{
	int seen;

	pthread_rwlock_rdlock(&l);
	seen = g; // NORACE
	pthread_rwlock_unlock(&l);
	return seen ? arg : NULL;
}

static void *
writer(void *arg)
{
	pthread_rwlock_wrlock(&l);
	g = 1; // NORACE
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
