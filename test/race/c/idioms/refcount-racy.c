/* A reference count whose last reader frees the object: the count is plain. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buf {
	int refs;
	char data[64];
};

static void
put(struct buf *b)
{
	b->refs--; // RACE
}

static void *
worker(void *arg)
{
	struct buf *b = arg;

	put(b);
	return NULL;
}

int
main(void)
{
	struct buf *b = calloc(1, sizeof *b);
	pthread_t x, y;

	if (!b)
		return 1;
	b->refs = 2; // NORACE
	pthread_create(&x, NULL, worker, b);
	pthread_create(&y, NULL, worker, b);
	pthread_join(x, NULL);
	pthread_join(y, NULL);
	if (b->refs == 0) // NORACE
		free(b); // NORACE
	return 0;
}
