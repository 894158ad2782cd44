/* What was a handler before, as signal() says, is called by a thread. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int hits;
static void (*before)(int);

static void
count(int number)
{
	hits += number; // RACE
}

static void
ignore(int number)
{
	(void)number;
}

static void *
work(void *arg)
{
	if (before)
		before(SIGUSR1);
	return arg;
}

int
main(void)
{
	pthread_t t;

	signal(SIGUSR1, count);
	before = signal(SIGUSR1, ignore);
	pthread_create(&t, NULL, work, NULL);
	hits++; // RACE
	pthread_join(t, NULL);
	signal(SIGUSR1, before);
	return hits;
}
