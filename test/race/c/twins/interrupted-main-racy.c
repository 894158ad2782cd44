/* A handler writes what main and a thread read: against main, which it
 * interrupts, that is no race of two threads; against the thread it is. */
#include <pthread.h>
#include <signal.h>

static int level, mode;

static void
on_signal(int number)
{
	level = number; // RACE possible
	mode = number;  // RACE
}

static void *
work(void *arg)
{
	return mode ? NULL : arg; // RACE
}

int
main(void)
{
	pthread_t t;

	signal(SIGHUP, on_signal);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return level; // NORACE-LIKELY
}
