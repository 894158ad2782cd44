/* A volatile count goes up in two steps: one of two updates is lost, and a store between them is
 * undone. */
#include <pthread.h>

static volatile int hits, level;

static void *
worker(void *arg)
{
	hits++;	    // RACE
	level += 2; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	level = 0; // RACE
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return hits;
}
