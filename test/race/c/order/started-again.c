/* After a second start the workers run again. */
#include <pthread.h>

#define N 3

static int g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t h[N];

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	g++; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void
start(void)
{
	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, worker, NULL);
}

static void
stop(void)
{
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
}

int
main(void)
{
	start();
	stop();
	start();
	g = 1; // RACE
	stop();
	return 0;
}
