/* A handler of exit frees what threads used that were joined. */
#include <pthread.h>
#include <stdlib.h>

static int *data;

static void
cleanup(void)
{
	free(data); // NORACE
}

static void *
work(void *arg)
{
	data[0]++; // NORACE
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
	pthread_join(a, NULL);
	atexit(cleanup);
	return 0;
}
