/* What was a handler before, as signal() says, is one again when the thread has ended; the thread does not call it. */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int hits;
static void (*before)(int);

static void
count(int number)
{
	hits += number; // NORACE-LIKELY
}

static void
ignore(int number)
{
	(void)number;
}

static void *
work(void *arg)
{
	return arg;
}

int
main(void)
{
	pthread_t t;

	signal(SIGUSR1, count);
	before = signal(SIGUSR1, ignore);
	pthread_create(&t, NULL, work, NULL);
	hits++; // NORACE-LIKELY
	pthread_join(t, NULL);
	signal(SIGUSR1, before);
	return hits;
}
