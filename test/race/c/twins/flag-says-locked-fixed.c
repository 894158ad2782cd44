/* A flag says whether the lock is held, and both branches ask it. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void *
work(void *arg)
{
	int locked = 1;

	if (locked)
		pthread_mutex_lock(&m);
	g++; // NORACE-LIKELY
	if (locked)
		pthread_mutex_unlock(&m);
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
