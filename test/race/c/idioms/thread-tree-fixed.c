/* A thread starts a helper and joins it; main waits for the thread. */
#include <pthread.h>

static int left, right;

static void *
helper(void *arg)
{
	right = 2; // NORACE
	return arg;
}

static void *
worker(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, helper, NULL);
	left = 1; // NORACE
	pthread_join(t, NULL);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return left + // NORACE
	       right; // NORACE
}
