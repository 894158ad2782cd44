/* Ranges that grow with the number overlap. */
#include <pthread.h>

#define N 4
static int data[N * 16 + 16];
static int row[N + 1][8];

static void *
work(void *arg)
{
	long id = (long)arg;

	for (long i = id * 4; i < id * 8 + 4; i++)
		data[i] = 1; // RACE
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
	return row[0][0] + data[0];
}
