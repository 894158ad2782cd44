/* No rule says that these come to be, but a run with few threads shows it: a thread that waits for a
 * flag of its own program, one that the first to come starts, an element that both compute. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, first;
static int data, once, cells[4];

static void *
late(void *arg)
{
	while (!atomic_load_explicit(&ready, memory_order_relaxed))
		;
	data++; // RACE definite
	return arg;
}

static void *
early(void *arg)
{
	int i = 0;

	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	data++; // RACE definite
	if (!atomic_exchange_explicit(&first, 1, memory_order_relaxed))
		once = 1; // RACE definite
	while (i * i < 4)
		i++;
	cells[i]++; // RACE definite
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, early, 0);
	pthread_create(&b, 0, late, 0);
	once = 2;   // RACE definite
	cells[2]--; // RACE definite
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
