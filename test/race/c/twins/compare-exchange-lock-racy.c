/* A spin lock by compare-exchange that is given back before the work is done. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int total;
static void
take(void)
{
	int free = 0;
	while (!atomic_compare_exchange_strong(&lock, &free, 1))
		free = 0;
}
static void *
work(void *arg)
{
	take();
	atomic_store_explicit(&lock, 0, memory_order_release);
	total++; // RACE
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
