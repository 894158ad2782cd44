/* An exchange that fails may acquire, too; and a spin lock may be taken by one whose failures
 * order nothing. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
	int full;
};

static atomic_int step;
static int value, weak;
static _Atomic(struct box *) shared;

static void *
look(void *arg)
{
	int want = 7, other = 5, got = 0;

	atomic_compare_exchange_strong_explicit(&step, &want, 8, memory_order_acquire,
						memory_order_acquire);
	if (want == 1)
		got = value; // NORACE
	atomic_compare_exchange_weak_explicit(&step, &other, 6, memory_order_acq_rel,
					      memory_order_acquire);
	if (other == 1)
		got += weak; // NORACE
	return got ? arg : NULL;
}

static atomic_int busy;
static int counter;

static void *
count(void *arg)
{
	int none = 0;

	while (!atomic_compare_exchange_weak_explicit(&busy, &none, 1, memory_order_acquire,
						      memory_order_relaxed))
		none = 0;
	counter++; // NORACE
	atomic_store_explicit(&busy, 0, memory_order_release);
	return arg;
}

static void *
find(void *arg)
{
	struct box *mine = malloc(sizeof *mine), *old = NULL;

	if (!mine)
		return NULL;
	mine->full = 1; // NORACE
	if (!atomic_compare_exchange_strong_explicit(&shared, &old, mine, memory_order_acq_rel,
						     memory_order_acquire)) {
		free(mine);
		return old->full ? arg : NULL; // NORACE
	}
	return NULL;
}

int
main(void)
{
	pthread_t a, b, c, d;

	pthread_create(&a, NULL, look, NULL);
	value = 1; // NORACE
	weak = 1; // NORACE
	atomic_store_explicit(&step, 1, memory_order_release);
	pthread_join(a, NULL);
	pthread_create(&b, NULL, find, NULL);
	pthread_create(&c, NULL, find, NULL);
	pthread_create(&d, NULL, count, NULL);
	count(NULL);
	pthread_join(d, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
