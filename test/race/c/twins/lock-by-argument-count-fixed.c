/* The number of arguments decides which of two locks all threads use. */
#include <pthread.h>

static pthread_mutex_t few = PTHREAD_MUTEX_INITIALIZER, many = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *
worker(void *arg)
{
	pthread_mutex_t *m = arg;

	pthread_mutex_lock(m);
	total++; // NORACE
	pthread_mutex_unlock(m);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_mutex_t *m = argc > 1 ? &many : &few;
	pthread_t t, u;

	pthread_create(&t, NULL, worker, m);
	pthread_create(&u, NULL, worker, m);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return total;
}
