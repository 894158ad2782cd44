/* Each round computes from the neighbours and then stores, with a barrier behind both. */
#include <pthread.h>

#define N 4
static pthread_barrier_t barrier;
static int now[N], next[N];
static void *
work(void *arg)
{
	long id = (long)arg;
	for (int k = 0; k < 8; k++) {
		next[id] = now[(id + 1) % N] + now[(id + N - 1) % N]; // NORACE
		pthread_barrier_wait(&barrier);
		now[id] = next[id]; // NORACE
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}
int
main(void)
{
	pthread_t t[N];
	pthread_barrier_init(&barrier, NULL, N);
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
