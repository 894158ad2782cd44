/* A sequence lock: readers read atomically, writers exclude each other. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint seq;
static atomic_int low, high;

static void *
writer(void *arg)
{
	pthread_mutex_lock(&m);
	atomic_fetch_add(&seq, 1);
	low = 1; // NORACE
	high = 2; // NORACE
	atomic_fetch_add(&seq, 1);
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
reader(void *arg)
{
	unsigned before;
	int sum;

	do {
		before = atomic_load(&seq);
		sum = low + high; // NORACE
	} while (before & 1 || before != atomic_load(&seq));
	return sum ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
