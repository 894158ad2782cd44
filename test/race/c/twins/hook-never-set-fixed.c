/* The function that would set a hook is never called: a thread that calls the hook
 * runs nothing else. */
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
quiet(int level)
{
	(void)level;
}

static void
again(int level)
{
	rounds += level; // NORACE
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
	hooks->before = quiet;
	pthread_create(&t, NULL, work, NULL);
	timer->expired(2);
	pthread_join(t, NULL);
	return rounds;
}
