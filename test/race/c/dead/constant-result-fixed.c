/* A function that returns one number says which feature there is. */
#include <pthread.h>

static int slow_path, fast_path;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int
has_feature(int which)
{
	return which > 3 ? 1 : 1;
}

static void *
work(void *arg)
{
	if (!has_feature(2))
		slow_path++; // NORACE
	pthread_mutex_lock(&lock);
	fast_path++; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
