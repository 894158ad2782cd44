/* An error-checking mutex refuses the second lock: the first unlock gives it back. */
#include <pthread.h>

static pthread_mutex_t m;
static int g;

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	g = 1; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t a, b;
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &attr);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
