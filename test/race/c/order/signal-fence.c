/* A fence against the thread's own signal handlers orders nothing between threads. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int value, other;

static void *
take(void *arg)
{
	int got = 0;

	if (atomic_load_explicit(&ready, memory_order_relaxed)) {
		atomic_signal_fence(memory_order_acquire);
		got = value; // RACE possible
	}
	if (atomic_load_explicit(&ready, memory_order_relaxed)) {
		atomic_thread_fence(memory_order_acquire);
		got += other; // RACE possible
	}
	return got ? arg : NULL;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, take, NULL);
	value = 1; // RACE possible
	other = 1; // RACE possible
	atomic_signal_fence(memory_order_seq_cst);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	pthread_join(t, NULL);
	return 0;
}
