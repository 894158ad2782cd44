/* A struct's memory becomes a free list's node, which two threads change. */
#include <pthread.h>
#include <stdlib.h>

struct conn {
	long bytes;
	int fd;
};
struct unused {
	int rank;
	struct unused *next;
};
static void *pool;

static void *
worker(void *arg)
{
	struct unused *u = pool;

	u->rank = 1; // RACE
	return arg;
}

int
main(void)
{
	struct conn *c = malloc(sizeof *c);
	struct unused *u;
	pthread_t t;

	c->bytes = 0;
	c->fd = -1;
	pool = c;
	pthread_create(&t, NULL, worker, NULL);
	u = pool;
	u->rank = 2; // RACE
	pthread_join(t, NULL);
	return 0;
}
