/* A configuration is replaced through an atomic pointer, and one field is set after that. */
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
	atomic_store_explicit(&current, c, memory_order_release);
	c->retries = 3; // RACE
	return arg;
}

static void *
serve(void *arg)
{
	struct config *c = atomic_load_explicit(&current, memory_order_acquire);
	int n = 1;

	if (c)
		n = c->timeout * // NORACE
		    c->retries; // RACE
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
