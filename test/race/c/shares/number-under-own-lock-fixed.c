/* Numbers that are drawn under a spin lock of the program's own: each worker's places are its own,
 * one at a time or ten. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int taken;
static atomic_flag last = ATOMIC_FLAG_INIT;
static int next, first, size;
static int *cell, *row;

static void *
work(void *arg)
{
	int own, from = 0, end = 0;

	while (__sync_lock_test_and_set(&taken, 1))
		;
	own = next;     // NORACE
	next = own + 1; // NORACE
	__sync_lock_release(&taken);
	while (atomic_flag_test_and_set_explicit(&last, memory_order_acquire))
		;
	if (first + 10 <= size) { // NORACE
		from = first;
		first = end = from + 10; // NORACE
	}
	atomic_flag_clear_explicit(&last, memory_order_release);
	if (own < size)
		cell[own] = 1; // NORACE
	for (; from < end; from++)
		row[from] = 2; // NORACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	size = argc > 1 ? atoi(argv[1]) : 100;
	cell = calloc((size_t)size, sizeof *cell);
	row = calloc((size_t)size, sizeof *row);
	if (!cell || !row)
		return 1;
	for (int i = 0; i < 40; i++)
		pthread_create(&t, NULL, work, NULL);
	pthread_exit(NULL);
}
