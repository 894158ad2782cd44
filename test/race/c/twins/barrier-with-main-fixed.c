/* Main meets its workers at the barrier before it reads. */
#include <pthread.h>

#define N 2
static pthread_barrier_t barrier;
static int data[N];
static void *
work(void *arg)
{
	data[(long)arg] = 1; // NORACE
	pthread_barrier_wait(&barrier);
	return NULL;
}
int
main(void)
{
	pthread_t t[N];
	int sum;
	pthread_barrier_init(&barrier, NULL, N + 1);
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	pthread_barrier_wait(&barrier);
	sum = data[0] + data[1]; // NORACE
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return sum != 2;
}
