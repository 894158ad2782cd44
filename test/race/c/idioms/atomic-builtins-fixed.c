/* A stop flag written by __atomic_store_n and polled by __atomic_load_n. */
#include <pthread.h>
#include <unistd.h>

static int stop;

static void *
poll(void *arg)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) // NORACE
		usleep(1000);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, poll, NULL);
	sleep(1);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED); // NORACE
	pthread_join(t, NULL);
	return 0;
}
