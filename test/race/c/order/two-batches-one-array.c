/* The second batch overwrites the handles of the first, which nobody joins. */
#include <pthread.h>

#define N 4

static int g;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
early(void *arg)
{
	pthread_mutex_lock(&m);
	g++; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
late(void *arg)
{
	pthread_mutex_lock(&m);
	g += 2;
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, early, NULL);
	for (int i = 0; i < N; i++)
		pthread_create(&h[i], NULL, late, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	g = 0; // RACE
	return 0;
}
