/* A thread sets the flag that a signal handler sets, with no atomic type. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static int stop;

static void
on_signal(int number)
{
	(void)number;
	stop = 1;
}

static void *
watch(void *arg)
{
	stop = 2; // RACE
	return arg;
}

int
main(void)
{
	pthread_t t;
	unsigned n = 0;

	signal(SIGINT, on_signal);
	pthread_create(&t, NULL, watch, NULL);
	while (!stop) // RACE
		n++;
	pthread_join(t, NULL);
	return n == 0;
}
