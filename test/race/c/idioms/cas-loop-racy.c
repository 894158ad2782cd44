/* A maximum kept by compare-and-store in plain steps. */
#include <pthread.h>
#include <stdatomic.h>

static int highest;

static void
note(int n)
{
	int seen = highest; // RACE

	if (n > seen)
		highest = n; // RACE
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 50; i++)
		note(i * 7 % 50);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return highest; // NORACE
}
