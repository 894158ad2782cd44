/* A volatile flag is no synchronisation: it and what it announces race. */
#include <pthread.h>
#include <stdatomic.h>

static volatile int quit;

static void *
worker(void *arg)
{
	unsigned n = 0;

	while (!quit) // RACE possible
		n++;
	return n ? arg : NULL;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	quit = 1; // RACE possible
	pthread_join(t, NULL);
	return 0;
}
