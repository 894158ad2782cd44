/* Between stop and the next start nobody runs. */
#include <pthread.h>

#define N 3

static int g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t h[N];

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	g++; // NORACE
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
	g = 0; // NORACE
	start();
	stop();
	return 0;
}
