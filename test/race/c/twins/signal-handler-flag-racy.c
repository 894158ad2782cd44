/* A signal handler counts in a plain variable that a thread reads. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static int stop;

static void
handler(int sig)
{
	(void)sig;
	stop++; // RACE
}

static void *
work(void *arg)
{
	return stop ? NULL : arg; // RACE
}

int
main(void)
{
	pthread_t a;

	pthread_create(&a, NULL, work, NULL);
	signal(SIGUSR1, handler);
	pthread_join(a, NULL);
	return 0;
}
