/* An atomic flag in the place of a volatile one. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int quit;

static void *
worker(void *arg)
{
	unsigned n = 0;

	while (!atomic_load(&quit)) // NORACE
		n++;
	return n ? arg : NULL;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	atomic_store(&quit, 1); // NORACE
	pthread_join(t, NULL);
	return 0;
}
