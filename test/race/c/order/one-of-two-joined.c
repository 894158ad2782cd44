/* The handle names one of two threads: the other still runs. */
#include <pthread.h>

static int g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	g++; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t h1, h2, h;

	(void)argv;
	pthread_create(&h1, NULL, worker, NULL);
	pthread_create(&h2, NULL, worker, NULL);
	h = argc > 1 ? h1 : h2;
	pthread_join(h, NULL);
	g = 0; // RACE
	return 0;
}
