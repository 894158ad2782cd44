/* Initialisation by a flag that two threads test. */
#include <pthread.h>

static int started;
static int *table;

static void
start(void)
{
	static int space[4];

	space[0] = 1;
	table = space; // RACE
}

static void *
work(void *arg)
{
	if (!started) {
		started = 1;
		start();
	}
	return table ? arg : NULL; // RACE
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
