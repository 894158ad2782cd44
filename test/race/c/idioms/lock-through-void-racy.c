/* A library gets its user's lock as void *, but is handed another one than the user takes. */
#include <pthread.h>

struct lib {
	void *lock;
	void (*acquire)(void *);
	void (*release)(void *);
};

static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void
take(void *lock)
{
	pthread_mutex_lock((pthread_mutex_t *)lock);
}

static void
drop(void *lock)
{
	pthread_mutex_unlock((pthread_mutex_t *)lock);
}

static struct lib lib = {&other, take, drop};

static void *
lib_run(void *arg)
{
	lib.acquire(lib.lock);
	level++; // RACE
	lib.release(lib.lock);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, lib_run, NULL);
	pthread_mutex_lock(&mine);
	level--; // RACE
	pthread_mutex_unlock(&mine);
	pthread_join(t, NULL);
	return 0;
}
