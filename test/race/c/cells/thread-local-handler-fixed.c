/* A handler of a signal, which runs in any thread, stores beside the number. */
#include <pthread.h>
#include <signal.h>

enum { WORKERS = 4 };

static long done[WORKERS];
static int number[WORKERS];
static _Thread_local int me, other;

static void
on_alarm(int s)
{
	(void)s;
	other = 0;
}

static void *
worker(void *arg)
{
	me = *(int *)arg;
	for (int i = 0; i < 1000; i++)
		done[me]++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	signal(SIGUSR1, on_alarm);
	for (int i = 0; i < WORKERS; i++) {
		number[i] = i;
		if (pthread_create(&t[i], 0, worker, &number[i]))
			return 1;
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return 0;
}
