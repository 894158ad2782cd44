/* A library takes its lock, unless locking is switched off, in all its calls but one. */
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
	total += n; // RACE
	leave();
}

int
lib_total(void)
{
	return total; // RACE
}
