/* The array of handles is too short: what happens behind its end is not known. */
#include <pthread.h>

enum { THREADS = 4 };

static int hits;

static void *
work(void *arg)
{
	for (int i = 0; i < 3; i++)
		hits++; // RACE !definite
	return arg;
}

int
main(void)
{
	pthread_t t[THREADS - 3];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	return 0;
}
