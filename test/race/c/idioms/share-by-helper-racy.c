/* Each thread has a slice of the array, and fills one element of the next, too. */
#include <pthread.h>

#define N 64
#define THREADS 4
#define SLICE (N / THREADS)

static int data[N];

static void
put(int *to, int i, int value)
{
	to[i] = value; // RACE
}

static void *
work(void *arg)
{
	long id = (long)arg;

	for (int i = (int)id * SLICE; i <= (int)(id + 1) * SLICE; i++)
		put(data, i, i);
	return NULL;
}

int
main(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return data[0]; // NORACE
}
