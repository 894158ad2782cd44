/* Two batches with handles of their own, both joined. */
#include <pthread.h>

#define N 4

static int g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
early(void *arg)
{
	pthread_mutex_lock(&m);
	g++; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
late(void *arg)
{
	pthread_mutex_lock(&m);
	g += 2; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t h[N], k[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, early, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&k[i], NULL, late, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	for (int i = 0; i < N; i++)
		pthread_join(k[i], NULL);
	g = 0; // NORACE
	return 0;
}
