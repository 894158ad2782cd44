/* A library takes its lock in all its calls, unless locking is switched off. */
// FLAGS: --open
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;

struct methods {
	void (*enter)(void), (*leave)(void);
};

static void
lock(void)
{
	pthread_mutex_lock(&m);
}

static void
unlock(void)
{
	pthread_mutex_unlock(&m);
}

static void
nothing(void)
{
}

static const struct methods locking = {lock, unlock}, idle = {nothing, nothing};
static const struct methods *use = &locking;

static void
enter(void)
{
	use->enter();
}

static void
leave(void)
{
	use->leave();
}

void
lib_switch(int on)
{
	use = on ? &locking : &idle;
}

void
lib_add(int n)
{
	enter();
	total += n; // NORACE-LIKELY
	leave();
}

int
lib_total(void)
{
	int n;

	enter();
	n = total; // NORACE-LIKELY
	leave();
	return n;
}
