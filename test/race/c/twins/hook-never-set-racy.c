/* The function that sets a hook is called with what a timer runs, too: a thread that calls the
 * hook runs it. */
#include <pthread.h>
#include <stddef.h>

static int rounds;
static char pool[256];
static size_t used;

static void *
grab(size_t n)
{
	used += n;
	return pool + used - n;
}

struct hooks {
	void (*before)(int);
	int level;
};
struct timer {
	int level;
	void (*expired)(int);
};

static struct hooks *hooks;
static struct timer *timer;

static void
again(int level)
{
	rounds += level; // RACE
}

void
hooks_set(void (*f)(int))
{
	hooks->before = f;
}

static void *
work(void *arg)
{
	if (hooks->before)
		hooks->before(1);
	return arg;
}

int
main(void)
{
	pthread_t t;

	hooks = grab(sizeof *hooks);
	timer = grab(sizeof *timer);
	timer->expired = again;
	hooks_set(again);
	pthread_create(&t, NULL, work, NULL);
	timer->expired(2);
	pthread_join(t, NULL);
	return rounds;
}
