/* A spin lock by an atomic exchange, which one writer does not take. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;
static int g;

static void *
work(void *arg)
{
	while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
		;
	g++; // RACE
	atomic_store_explicit(&busy, 0, memory_order_release);
	return arg;
}

static void *
other(void *arg)
{
	g = 0; // RACE
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
