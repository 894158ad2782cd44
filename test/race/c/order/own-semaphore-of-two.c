/* A semaphore that the program makes itself lets two in: it is no barrier, and no lock. */
#include <pthread.h>

enum { THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t free_again = PTHREAD_COND_INITIALIZER;
static int left = 2;
static double cell[THREADS], next[THREADS];

static void
enter(void)
{
	pthread_mutex_lock(&lock);
	if (--left < 0)
		pthread_cond_wait(&free_again, &lock);
	pthread_mutex_unlock(&lock);
}

static void
leave(void)
{
	pthread_mutex_lock(&lock);
	if (++left <= 0)
		pthread_cond_signal(&free_again);
	pthread_mutex_unlock(&lock);
}

static void *
worker(void *arg)
{
	long id = (long)arg;

	enter();
	cell[0] += id; // RACE
	leave();
	next[id] = cell[0];
	return NULL;
}

int
main(void)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return (int)next[0];
}
