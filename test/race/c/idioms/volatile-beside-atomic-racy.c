/* A count that goes up atomically is read as any other, or goes up in two steps elsewhere. */
#include <pthread.h>

static int plain;
static volatile int both;

static void *
work(void *arg)
{
	__sync_fetch_and_add(&plain, 1); // RACE
	__sync_fetch_and_add(&both, 1); // RACE
	return arg;
}

int
main(void)
{
	pthread_t t;
	int n;

	pthread_create(&t, 0, work, 0);
	n = plain; // RACE
	both++; // RACE
	pthread_join(t, 0);
	return n;
}
