/* A lock by the test-and-set builtin, repeated until it was free. */
#include <pthread.h>

static int lock;
static int total;
static void *
work(void *arg)
{
	while (__sync_lock_test_and_set(&lock, 1))
		;
	total++; // NORACE
	__sync_lock_release(&lock);
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
