/* A lock with a time limit: after the limit the work is done all the same. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs;

static void *
worker(void *arg)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 1;
	if (pthread_mutex_timedlock(&lock, &until) != 0) {
		jobs++; // RACE
		return NULL;
	}
	jobs++; // RACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
