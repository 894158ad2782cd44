/* The thread has ended before the handler is registered; main sets what it reads before. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

static int seen, limit;

static void
on_signal(int number)
{
	seen = number < limit; // NORACE-LIKELY
}

static void *
work(void *arg)
{
	seen++; // NORACE
	return arg;
}

int
main(void)
{
	struct sigaction how;
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	limit = 3; // NORACE
	memset(&how, 0, sizeof how);
	how.sa_handler = on_signal;
	sigaction(SIGUSR1, &how, NULL);
	return 0;
}
