/* Threads are numbered from one on. But joined from two on. */
#include <pthread.h>
#include <stdlib.h>

static int x[64];

static void *
worker(void *arg)
{
	x[(long)arg] = 1; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[64];
	int n = argc > 1 ? atoi(argv[1]) : 4, sum = 0;

	for (long i = 1; i <= n; i++)
		pthread_create(&t[i - 1], NULL, worker, (void *)(i - 1));
	for (int i = 2; i < n + 1; i++)
		pthread_join(t[i - 1], NULL);
	for (int i = 0; i < n; i++)
		sum += x[i]; // RACE
	return sum;
}
