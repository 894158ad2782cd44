/* Threads that a loop with a constant bound starts, their handles in an array that has room for all. */
#include <pthread.h>

enum { THREADS = 4 };

static int hits;

static void *
work(void *arg)
{
	for (int i = 0; i < 3; i++)
		hits++; // RACE definite
	return arg;
}

int
main(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
