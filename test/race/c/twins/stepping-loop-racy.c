/* A loop of each thread starts at its number and moves on by one less than there are threads. */
#include <pthread.h>

#define N 4
static int data[32];
static void *
work(void *arg)
{
	long id = (long)arg;
	for (long k = id; k < 32; k += N - 1)
		data[k]++; // RACE
	return NULL;
}
int
main(void)
{
	pthread_t t[N];

	for (long i = 0; i < N; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
