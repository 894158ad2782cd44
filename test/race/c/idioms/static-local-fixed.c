/* A static local hands out numbers under a static local lock. */
#include <pthread.h>

static int
next_id(void)
{
	static int id;
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	int mine;

	pthread_mutex_lock(&lock);
	mine = ++id; // NORACE
	pthread_mutex_unlock(&lock);
	return mine;
}

static void *
worker(void *arg)
{
	return next_id() ? arg : NULL;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
