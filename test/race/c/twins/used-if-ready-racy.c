/* Data is used where the flag was not seen. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;
static void *
maker(void *arg)
{
	data = 1; // RACE
	atomic_store_explicit(&ready, 1, memory_order_release);
	return arg;
}
static void *
user(void *arg)
{
	if (!atomic_load_explicit(&ready, memory_order_acquire))
		data++; // RACE
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, maker, NULL);
	pthread_create(&b, NULL, user, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
