/* A thread starts a helper and ends without waiting for it; main waits only for the thread. */
#include <pthread.h>

static int left, right;

static void *
helper(void *arg)
{
	right = 2; // RACE
	return arg;
}

static void *
worker(void *arg)
{
	pthread_t t;

	pthread_create(&t, NULL, helper, NULL);
	left = 1; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return left + // NORACE
	       right; // RACE
}
