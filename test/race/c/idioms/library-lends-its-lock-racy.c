/* A library lends its lock to callers, and takes it itself where it must. But one function leaves that to its callers. */
// FLAGS: --open
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level;

void
lib_lock(void)
{
	pthread_mutex_lock(&m);
}

void
lib_unlock(void)
{
	pthread_mutex_unlock(&m);
}

int
lib_level(int more)
{
	int l;

	pthread_mutex_lock(&m);
	level += more; // RACE
	l = level;
	pthread_mutex_unlock(&m);
	return l;
}

void
lib_reset(void)
{
	level = 0; // RACE
}
