/* Element i is guarded by lock i of an array that each thread has for itself. */
#include <pthread.h>

#define N 8

static int d[N];

static void *
worker(void *arg)
{
	pthread_mutex_t l[N];

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&l[i], NULL);
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&l[i]);
		d[i]++; // RACE
		pthread_mutex_unlock(&l[i]);
	}
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
