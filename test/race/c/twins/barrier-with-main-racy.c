/* Main reads before it meets its workers at the barrier. */
#include <pthread.h>

#define N 2
static pthread_barrier_t barrier;
static int data[N];
static void *
work(void *arg)
{
	data[(long)arg] = 1; // RACE
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
	sum = data[0] + data[1]; // RACE
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return sum != 2;
}
