/* A statistics counter of relaxed atomics, also where it is reset. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_ulong requests;

static void *
serve(void *arg)
{
	for (int i = 0; i < 100; i++)
		atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed); // NORACE
	return arg;
}

static void *
monitor(void *arg)
{
	printf("%lu\n", atomic_load_explicit(&requests, memory_order_relaxed)); // NORACE
	atomic_store_explicit(&requests, 0, memory_order_relaxed); // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, serve, NULL);
	pthread_create(&b, NULL, monitor, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
