/* A maximum kept by a compare-exchange loop. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int highest;

static void
note(int n)
{
	int seen = atomic_load(&highest); // NORACE

	while (n > seen)
		if (atomic_compare_exchange_weak(&highest, &seen, n)) // NORACE
			break;
}

static void *
worker(void *arg)
{
	for (int i = 0; i < 50; i++)
		note(i * 7 % 50);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return highest; // NORACE
}
