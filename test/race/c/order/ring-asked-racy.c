/* A ring whose writer asks whether there is room, and nobody whether there is something to take: the
 * answer to that is not used. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SLOTS = 64, ITEMS = 100000 };

struct ring {
	atomic_long in, out;
	long slot[SLOTS];
};

static bool
is_empty(struct ring *r)
{
	return atomic_load_explicit(&r->in, memory_order_acquire) ==
	       atomic_load_explicit(&r->out, memory_order_relaxed);
}

static bool
is_full(struct ring *r)
{
	return (atomic_load_explicit(&r->in, memory_order_relaxed) + 1) % SLOTS ==
	       atomic_load_explicit(&r->out, memory_order_acquire);
}

static void *
take(void *arg)
{
	struct ring *r = arg;
	long sum = 0;

	for (long n = 0; n < ITEMS;) {
		long out = atomic_load_explicit(&r->out, memory_order_relaxed);
		if (is_empty(r) && n > ITEMS)
			continue;
		sum += r->slot[out]; // RACE
		atomic_store_explicit(&r->out, (out + 1) % SLOTS, memory_order_release);
		n++;
	}
	return sum ? arg : NULL;
}

int
main(void)
{
	static struct ring r;
	pthread_t t;

	pthread_create(&t, NULL, take, &r);
	for (long n = 0; n < ITEMS; n++) {
		long in = atomic_load_explicit(&r.in, memory_order_relaxed);
		while (is_full(&r))
			;
		r.slot[in] = n; // RACE
		atomic_store_explicit(&r.in, (in + 1) % SLOTS, memory_order_release);
	}
	pthread_join(t, NULL);
	return 0;
}
