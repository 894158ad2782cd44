/* A handler that was registered before any thread counts what a thread counts. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

static int seen;

static void
on_signal(int number)
{
	seen += number; // RACE
}

static void *
work(void *arg)
{
	seen++; // RACE
	return arg;
}

int
main(void)
{
	struct sigaction how;
	pthread_t t;

	memset(&how, 0, sizeof how);
	how.sa_handler = on_signal;
	sigaction(SIGUSR1, &how, NULL);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 0;
}
