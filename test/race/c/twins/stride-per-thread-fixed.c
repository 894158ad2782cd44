/* Each thread has every fourth cell, from its number on. */
#include <pthread.h>

#define N 4
static int data[32];
static void *
work(void *arg)
{
	long id = (long)arg;
	for (int k = 0; k < 8; k++)
		data[id + k * N] = 1; // NORACE
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
