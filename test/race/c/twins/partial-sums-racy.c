/* Each thread adds to one sum as it goes. */
#include <pthread.h>

#define N 4
static double part[N];
static void *
work(void *arg)
{
	long id = (long)arg;
	for (long i = id + 1; i < 100; i += N)
		part[0] += 1.0 / (double)i; // RACE
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
		sum += part[i];
	}
	return sum > 0;
}
