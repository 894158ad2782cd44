/* Element i is guarded by lock i of one shared array. */
#include <pthread.h>

#define N 8

static pthread_mutex_t l[N];
static int d[N];

static void *
worker(void *arg)
{
	for (int i = 0; i < N; i++) {
		pthread_mutex_lock(&l[i]);
		d[i]++; // NORACE
		pthread_mutex_unlock(&l[i]);
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	for (int i = 0; i < N; i++)
		pthread_mutex_init(&l[i], NULL);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
