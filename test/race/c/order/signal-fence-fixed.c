/* Fences between threads on both sides; that against signal handlers does no harm. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value;

static void *
take(void *arg)
{
	int got = 0;

	if (atomic_load_explicit(&ready, memory_order_relaxed)) {
		atomic_signal_fence(memory_order_acquire);
		atomic_thread_fence(memory_order_acquire);
		got = value; // NORACE
	}
	return got ? arg : NULL;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, take, NULL);
	value = 1; // NORACE
	atomic_thread_fence(memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	pthread_join(t, NULL);
	return 0;
}
