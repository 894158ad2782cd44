/* A busy mark is set under the mutex, without a look at whether it is set. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
static int busy, total;
static void *
work(void *arg)
{
	pthread_mutex_lock(&m);

	busy = 1;
	pthread_mutex_unlock(&m);
	total++; // RACE
	pthread_mutex_lock(&m);
	busy = 0;
	pthread_cond_signal(&idle);
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
