/* The flag of a signal handler is atomic, and so may be used by threads too. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int stop;

static void
on_signal(int number)
{
	(void)number;
	stop = 1; // NORACE
}

static void *
watch(void *arg)
{
	stop = 2; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t;
	unsigned n = 0;

	signal(SIGINT, on_signal);
	pthread_create(&t, NULL, watch, NULL);
	while (!stop) // NORACE
		n++;
	pthread_join(t, NULL);
	return n == 0;
}
