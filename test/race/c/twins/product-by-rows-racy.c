/* A product of matrices, where each thread adds to the first row of the result. */
#include <pthread.h>

#define N 4
static int left[N][N], right[N][N], product[N][N];
static void *
work(void *arg)
{
	long row = (long)arg;
	for (int j = 0; j < N; j++)
		for (int k = 0; k < N; k++)
			product[0][j] += left[row][k] * right[k][j]; // RACE
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
