/* A plug-in is entered by a function of its own, which starts a thread that locks. */
// FLAGS: --entry plugin_run
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending;

static void *
on_timer(void *arg)
{
	pthread_mutex_lock(&lock);
	pending = 0; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

void
plugin_run(int n)
{
	pthread_t t;

	if (pthread_create(&t, NULL, on_timer, NULL) != 0)
		return;
	pthread_mutex_lock(&lock);
	pending += n; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_detach(t);
}

void
plugin_debug(void)
{
	pending = -1; // NORACE
}
