/* The low bits of an index say whose cell it is. */
#include <pthread.h>

#define N 4
static int data[32];
static void *
work(void *arg)
{
	long id = (long)arg;
	for (int k = 0; k < 32; k++)
		if ((k & (N - 1)) == id)
			data[k]++; // NORACE
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
