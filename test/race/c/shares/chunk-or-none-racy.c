/* The count from which each draws ten numbers is set again while they run. */
#include <pthread.h>
#include <stdlib.h>

static int *cell;
static int cells, next;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
worker(void *arg)
{
	int from = 0, to = 0;

	pthread_mutex_lock(&m);
	if (next + 10 <= cells) {
		from = next;
		next = to = next + 10;
	}
	pthread_mutex_unlock(&m);
	for (; from < to; from++)
		cell[from] = 1; // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	cells = argc * 1000;
	cell = calloc(cells, sizeof *cell);
	next = 0;
	for (int i = 0; i < 50; i++)
		pthread_create(&t, NULL, worker, NULL);
	pthread_mutex_lock(&m);
	next = 0;
	pthread_mutex_unlock(&m);
	pthread_exit(argv);
}
