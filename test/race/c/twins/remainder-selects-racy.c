/* Each thread takes the cells whose remainder, by too small a divisor, is its number or more. */
#include <pthread.h>

#define N 4
static int data[32];
static void *
work(void *arg)
{
	long id = (long)arg;
	for (int k = 0; k < 32; k++)
		if (k % N >= id)
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
