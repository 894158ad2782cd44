/* A struct's memory becomes a free list's node, which two threads change, under a lock. */
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
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
worker(void *arg)
{
	struct unused *u = pool;

	pthread_mutex_lock(&lock);
	u->rank = 1; // NORACE
	pthread_mutex_unlock(&lock);
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
	pthread_mutex_lock(&lock);
	u->rank = 2; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
