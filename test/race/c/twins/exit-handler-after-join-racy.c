/* A handler of exit frees what a thread that was not joined uses. */
#include <pthread.h>
#include <stdlib.h>

static int *data;

static void
cleanup(void)
{
	free(data); // RACE
}

static void *
work(void *arg)
{
	data[0]++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t a;

	data = calloc(1, sizeof *data);
	if (!data)
		return 1;
	pthread_create(&a, NULL, work, NULL);
	atexit(cleanup);
	return 0;
}
