/* A wait group counts workers down under a lock; main waits until it is zero, then reads their results. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int left = 3, res[3];

static void *
w(void *a)
{
	long i = (long)a;
	pthread_detach(pthread_self());
	res[i] = i * i; // NORACE-LIKELY
	pthread_mutex_lock(&m);
	if (--left == 0) // NORACE
		pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}

int
main(void)
{
	pthread_t t;
	int s = 0;
	for (long i = 0; i < 3; i++)
		pthread_create(&t, NULL, w, (void *)i);
	pthread_mutex_lock(&m);
	while (left > 0) // NORACE
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	for (int i = 0; i < 3; i++)
		s += res[i]; // NORACE-LIKELY
	return s;
}
