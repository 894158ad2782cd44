/* Rows of eight, walked for nine. */
#include <pthread.h>

#define N 4
static int data[N * 16 + 16];
static int row[N + 1][8];

static void *
work(void *arg)
{
	long id = (long)arg;

	for (int k = 0; k < 9; k++)
		(&row[id][0])[k] = 1; // RACE
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
