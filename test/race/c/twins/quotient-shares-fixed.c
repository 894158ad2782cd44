/* Shares by a product that is divided evenly. */
#include <pthread.h>
#define N 32
#define T 4
static int x[N];
static void *
scan(void *arg)
{
	int id = (int)(long)arg, lo = id * N / T, hi = (id + 1) * N / T;
	for (int i = lo + 1; i < hi; i++)
		x[i] += x[i - 1]; // NORACE
	return NULL;
}
int
main(void)
{
	pthread_t t[T];
	for (long i = 0; i < T; i++)
		pthread_create(&t[i], NULL, scan, (void *)i);
	for (int i = 0; i < T; i++)
		pthread_join(t[i], NULL);
	return x[N - 1];
}
