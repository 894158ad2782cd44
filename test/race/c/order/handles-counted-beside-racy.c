/* The handles are counted beside the numbers. But one more is counted off. */
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

	int k = 0;
	for (long i = 0; i < n; i++)
		pthread_create(&t[k++], NULL, worker, (void *)i);
	k--;
	while (k > 0)
		pthread_join(t[--k], NULL);
	for (int i = 0; i < n; i++)
		sum += x[i]; // RACE
	return sum;
}
