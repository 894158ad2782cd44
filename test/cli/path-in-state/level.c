/* The same helper before the thread and beside it: the path that is shown is that of the race. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level, depth;

static void
set_level(int x)
{
	level = x;
	depth = x;
}

static void
reload(int x)
{
	set_level(x);
}

static void *
reader(void *arg)
{
	pthread_mutex_lock(&lock);
	level += depth;
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t;

	set_level(1);
	pthread_create(&t, NULL, reader, NULL);
	pthread_mutex_lock(&lock);
	set_level(2);
	pthread_mutex_unlock(&lock);
	reload(3);
	pthread_join(t, NULL);
	return 0;
}
