/* Two threads start workers with handles in one array: the one that joins them may
 * join the other's. */
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

static void *
starter(void *arg)
{
	start();
	return arg;
}

int
main(void)
{
	pthread_t s;

	pthread_create(&s, NULL, starter, NULL);
	start();
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	g = 0; // RACE
	pthread_join(s, NULL);
	return 0;
}
