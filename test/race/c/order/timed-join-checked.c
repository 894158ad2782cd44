/* A timed join that says it succeeded has joined. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static int g;

static void *
worker(void *arg)
{
	g = 1; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t h;
	struct timespec until = {0, 0};

	pthread_create(&h, NULL, worker, NULL);
	if (pthread_timedjoin_np(h, NULL, &until) == 0)
		g = 2; // NORACE
	return 0;
}
