/* The first publication is ordered, but a second thread hands the object on without
 * order to a third. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct item {
	int x;
};

static struct item *_Atomic G1;
static struct item *G2;

static void *
writer(void *arg)
{
	struct item *n = malloc(sizeof *n);

	n->x = 1; // RACE possible
	atomic_store_explicit(&G1, n, memory_order_release);
	return arg;
}

static void *
relay(void *arg)
{
	struct item *q = atomic_load_explicit(&G1, memory_order_acquire);

	G2 = q; // RACE
	return arg;
}

static void *
reader(void *arg)
{
	struct item *r = G2; // RACE

	if (r && r->x) // RACE possible
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
