/* A ready flag is stored relaxed: it does not order the data that it announces. */
#include <pthread.h>
#include <stdatomic.h>

static int payload;
static atomic_bool ready;

static void *
sender(void *arg)
{
	payload = 42; // RACE possible
	atomic_store_explicit(&ready, 1, memory_order_relaxed); // NORACE
	return arg;
}

static void *
receiver(void *arg)
{
	while (!atomic_load_explicit(&ready, memory_order_relaxed)) // NORACE
		continue;
	return payload ? arg : NULL; // RACE possible
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, sender, NULL);
	pthread_create(&b, NULL, receiver, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
