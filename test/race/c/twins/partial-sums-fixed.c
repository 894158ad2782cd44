/* Each thread keeps its sum in a cell of its own, which main adds up as it joins. */
#include <pthread.h>

#define N 4
static double part[N];
static void *
work(void *arg)
{
	long id = (long)arg;
	for (long i = id + 1; i < 100; i += N)
		part[id] += 1.0 / (double)i; // NORACE
	return NULL;
}
int
main(void)
{
	pthread_t t[N];
	double sum = 0;
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		sum += part[i]; // NORACE
	}
	return sum > 0;
}
