/* Every thread that hands the object on does so by release and acquire. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
	int x;
};

static struct item *_Atomic G1, *_Atomic G2;

static void *
writer(void *arg)
{
	struct item *n = malloc(sizeof *n);

	n->x = 1; // NORACE
	atomic_store_explicit(&G1, n, memory_order_release);
	return arg;
}

static void *
relay(void *arg)
{
	struct item *q = atomic_load_explicit(&G1, memory_order_acquire);

	atomic_store_explicit(&G2, q, memory_order_release); // NORACE
	return arg;
}

static void *
reader(void *arg)
{
	struct item *r = atomic_load_explicit(&G2, memory_order_acquire); // NORACE

	if (r && r->x) // NORACE
		return r;
	return arg;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, relay, NULL);
	pthread_create(&c, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
