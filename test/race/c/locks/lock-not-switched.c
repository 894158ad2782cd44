/* The box keeps the lock that it was given before any thread ran. */
#include <pthread.h>

struct box {
	pthread_mutex_t *lk;
	int x;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t la = PTHREAD_MUTEX_INITIALIZER;
static struct box b;

static void *
worker(void *arg)
{
	pthread_mutex_t *k;

	pthread_mutex_lock(&m);
	k = b.lk;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(k);
	b.x++; // NORACE
	pthread_mutex_unlock(k);
	return arg;
}

int
main(void)
{
	pthread_t h1, h2;

	b.lk = &la;
	pthread_create(&h1, NULL, worker, NULL);
	pthread_create(&h2, NULL, worker, NULL);
	pthread_join(h1, NULL);
	pthread_join(h2, NULL);
	return 0;
}
