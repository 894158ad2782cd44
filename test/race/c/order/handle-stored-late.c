/* The handle may be stored when the new thread already runs, and starts another
 * into the same place. */
#include <pthread.h>

static pthread_t h;
static int started;

static void *
second(void *arg)
{
	started = 2;
	return arg;
}

static void *
first(void *arg)
{
	started = 1;
	pthread_create(&h, NULL, second, arg); // RACE
	return arg;
}

int
main(void)
{
	pthread_t own;

	pthread_create(&h, NULL, first, NULL); // RACE
	own = h;                               // RACE
	return own == 0;
}
