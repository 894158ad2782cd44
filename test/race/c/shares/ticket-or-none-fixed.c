/* A number is drawn if there are any left; else -1, which the taker tests for. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x[1000], next;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static int
take(void)
{
	int id = -1;

	pthread_mutex_lock(&m);
	if (next < 1000)
		id = next++;
	pthread_mutex_unlock(&m);
	return id;
}

static void *
worker(void *arg)
{
	int id;

	while ((id = take()) >= 0)
		x[id] = id; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return (int)x[0];
}
