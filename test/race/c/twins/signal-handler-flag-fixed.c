/* A signal handler sets an atomic flag that a thread reads. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static _Atomic int stop;

static void
handler(int sig)
{
	(void)sig;
	stop = 1; // NORACE
}

static void *
work(void *arg)
{
	return stop ? NULL : arg; // NORACE
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
