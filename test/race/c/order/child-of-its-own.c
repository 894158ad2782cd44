/* One worker only: all it wrote comes before its child. */
#include <pthread.h>

static int g, seen;

static void *
child(void *arg)
{
	int *to = arg;

	*to = g; // NORACE
	return NULL;
}

static void *
worker(void *arg)
{
	pthread_t c;
	int own = 0;

	g = 1; // NORACE
	pthread_create(&c, NULL, child, &own);
	pthread_join(c, NULL);
	return arg;
}

int
main(void)
{
	pthread_t w;

	pthread_create(&w, NULL, worker, NULL);
	pthread_join(w, NULL);
	seen = g; // NORACE
	return seen;
}
