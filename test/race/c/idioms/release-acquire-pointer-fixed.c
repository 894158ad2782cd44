/* A configuration is replaced through an atomic pointer: complete before the release store. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
	int timeout;
	int retries;
};

static _Atomic(struct config *) current;

static void *
reload(void *arg)
{
	struct config *c = malloc(sizeof *c);

	if (!c)
		return NULL;
	c->timeout = 30; // NORACE
	c->retries = 3; // NORACE
	atomic_store_explicit(&current, c, memory_order_release);
	return arg;
}

static void *
serve(void *arg)
{
	struct config *c = atomic_load_explicit(&current, memory_order_acquire);
	int n = 1;

	if (c)
		n = c->timeout * // NORACE
		    c->retries; // NORACE
	return n ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reload, NULL);
	pthread_create(&b, NULL, serve, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
