/* A statistics counter: incremented atomically, reset by a plain store. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static unsigned long requests;

static void *
serve(void *arg)
{
	for (int i = 0; i < 100; i++)
		__atomic_fetch_add(&requests, 1, __ATOMIC_RELAXED); // RACE
	return arg;
}

static void *
monitor(void *arg)
{
	printf("%lu\n", __atomic_load_n(&requests, __ATOMIC_RELAXED)); // NORACE
	requests = 0; // RACE
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
