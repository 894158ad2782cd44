/* The creator works on the second share, which is a thread's. */
#include <pthread.h>
#include <stdlib.h>

static long shares[64];

static void *
work(void *arg)
{
	shares[(long)arg] = 1; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[64];
	int n = argc > 1 ? atoi(argv[1]) : 4;

	for (long i = 1; i < n; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work((void *)1);
	for (int i = 1; i < n; i++)
		pthread_join(threads[i], NULL);
	return (int)shares[0]; // NORACE
}
