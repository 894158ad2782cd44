/* A release store orders what was written before it for an acquire load. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
	int x;
};

static struct item *_Atomic G;

static void *
writer(void *arg)
{
	struct item *p = malloc(sizeof *p);

	p->x = 1; // NORACE
	atomic_store_explicit(&G, p, memory_order_release); // NORACE
	return arg;
}

static void *
reader(void *arg)
{
	struct item *o;

	o = atomic_load_explicit(&G, memory_order_acquire); // NORACE
	if (o && o->x) // NORACE
		return o;
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
