/* A spin lock by a weak compare-exchange that acquires. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int total;
static void
take(void)
{
	int free;
	do
		free = 0;
	while (!atomic_compare_exchange_weak_explicit(&lock, &free, 1, memory_order_acquire,
						      memory_order_relaxed));
}
static void *
work(void *arg)
{
	take();
	total++; // NORACE
	atomic_store_explicit(&lock, 0, memory_order_release);
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
