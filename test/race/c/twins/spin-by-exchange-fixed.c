/* A spin lock by an atomic exchange with acquire and release. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;
static int g;

static void *
work(void *arg)
{
	while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
		;
	g++; // NORACE-LIKELY
	atomic_store_explicit(&busy, 0, memory_order_release);
	return arg;
}

static void *
other(void *arg)
{
	while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
		;
	g = 0; // NORACE-LIKELY
	atomic_store_explicit(&busy, 0, memory_order_release);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
