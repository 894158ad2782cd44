/* A volatile count that one thread alone updates, and others look at: the looks are possible
 * races, as of any volatile variable. */
#include <pthread.h>

static volatile int hits;

static void *
worker(void *arg)
{
	hits++; // NORACE-LIKELY
	return arg;
}

int
main(void)
{
	pthread_t a;
	int seen;

	pthread_create(&a, NULL, worker, NULL);
	seen = hits; // NORACE-LIKELY
	pthread_join(a, NULL);
	return seen;
}
