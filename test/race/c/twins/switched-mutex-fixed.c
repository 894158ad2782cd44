/* Locks that a program may switch off are taken through a table of methods, and one of them
 * around another: neither is certainly held, but where one is, it still is behind the other. */
#include <pthread.h>

struct methods {
	void (*enter)(pthread_mutex_t *);
	void (*leave)(pthread_mutex_t *);
};

static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct methods use;
static int list, state;

static void
skip(pthread_mutex_t *m)
{
	(void)m;
}
static void
enter(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
}
static void
leave(pthread_mutex_t *m)
{
	pthread_mutex_unlock(m);
}

static int
find(void)
{
	int found;

	use.enter(&list_lock);
	found = list++;
	use.leave(&list_lock);
	return found;
}

static void *
work(void *arg)
{
	use.enter(&state_lock);
	if (find())
		state++; // NORACE-LIKELY
	use.leave(&state_lock);
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	use.enter = argc > 1 ? skip : enter;
	use.leave = argc > 1 ? skip : leave;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return state;
}
