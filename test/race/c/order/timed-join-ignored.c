/* A timed join may give up; nobody looks at its result. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static int g;

static void *
worker(void *arg)
{
	g = 1; // RACE
	return arg;
}

int
main(void)
{
	pthread_t h;
	struct timespec until = {0, 0};

	pthread_create(&h, NULL, worker, NULL);
	pthread_timedjoin_np(h, NULL, &until);
	g = 2; // RACE
	return 0;
}
