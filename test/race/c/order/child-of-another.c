/* A worker's write comes before its own child, not before another worker's. */
#include <pthread.h>

static int g, seen;

static void *
child(void *arg)
{
	int *to = arg;

	*to = g; // RACE
	return NULL;
}

static void *
worker(void *arg)
{
	pthread_t c;
	int own = 0;

	g = 1; // RACE
	pthread_create(&c, NULL, child, &own);
	pthread_join(c, NULL);
	return arg;
}

int
main(void)
{
	pthread_t w[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&w[i], NULL, worker, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(w[i], NULL);
	seen = g; // NORACE
	return seen;
}
