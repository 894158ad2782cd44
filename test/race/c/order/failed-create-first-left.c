/* The join loop leaves out the first thread. */
#include <pthread.h>

#define N 8

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
main(void)
{
	pthread_t h[N];
	int i;

	for (i = 0; i < N; i++)
		if (pthread_create(&h[i], NULL, worker, NULL) != 0)
			break;
	for (int j = 1; j < i; j++)
		pthread_join(h[j], NULL);
	g = 0; // RACE
	return 0;
}
