/* A pointer walks over the handles. But not over all of them. */
#include <pthread.h>
#include <stdlib.h>

static int x[64];

static void *
worker(void *arg)
{
	x[(long)arg] = 1; // RACE possible
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[64];
	int n = argc > 1 ? atoi(argv[1]) : 4, sum = 0;

	long id = 0;
	for (pthread_t *p = t; p < t + n; p++)
		pthread_create(p, NULL, worker, (void *)id++);
	for (pthread_t *p = t; p < t + n - 1; p++)
		pthread_join(*p, NULL);
	for (int i = 0; i < n; i++)
		sum += x[i]; // RACE possible
	return sum;
}
