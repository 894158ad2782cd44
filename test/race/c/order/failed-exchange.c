/* An exchange that fails orders what its second order says: a relaxed one finds the value, and
 * the pointer, that somebody released, and nothing that came before it. */
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
						memory_order_relaxed);
	if (want == 1)
		got = value; // RACE
	atomic_compare_exchange_weak_explicit(&step, &other, 6, memory_order_acq_rel,
					      memory_order_relaxed);
	if (other == 1)
		got += weak; // RACE
	return got ? arg : NULL;
}

static void *
find(void *arg)
{
	struct box *mine = malloc(sizeof *mine), *old = NULL;

	if (!mine)
		return NULL;
	mine->full = 1; // RACE
	if (!atomic_compare_exchange_strong_explicit(&shared, &old, mine, memory_order_acq_rel,
						     memory_order_relaxed)) {
		free(mine);
		return old->full ? arg : NULL; // RACE
	}
	return NULL;
}

int
main(void)
{
	pthread_t a, b, c;

	pthread_create(&a, NULL, look, NULL);
	value = 1; // RACE
	weak = 1; // RACE
	atomic_store_explicit(&step, 1, memory_order_release);
	pthread_join(a, NULL);
	pthread_create(&b, NULL, find, NULL);
	pthread_create(&c, NULL, find, NULL);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return 0;
}
