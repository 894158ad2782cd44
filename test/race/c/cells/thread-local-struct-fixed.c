/* A thread-local pointer to the thread's own part of an array. */
#include <pthread.h>

enum { WORKERS = 4 };

static int number[WORKERS];
static struct own {
	long hits;
	int *number;
} all[WORKERS];
static _Thread_local struct own *mine;

static void
hit(void)
{
	mine->hits++; // NORACE
}

static void *
worker(void *arg)
{
	mine = &all[*(int *)arg];
	mine->number = arg;
	hit();
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++) {
		number[i] = i;
		if (pthread_create(&t[i], 0, worker, &number[i]))
			return 1;
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return 0;
}
