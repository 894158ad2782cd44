/* A stop flag written by __atomic_store_n and polled by a plain load. */
#include <pthread.h>
#include <unistd.h>

static int stop;

static void *
poll(void *arg)
{
	while (!stop) // RACE
		usleep(1000);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, poll, NULL);
	sleep(1);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED); // RACE
	pthread_join(t, NULL);
	return 0;
}
