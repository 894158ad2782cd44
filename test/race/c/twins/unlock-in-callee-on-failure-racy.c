/* A callee releases the lock on failure; the caller goes on in any case. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g, limit = 0;

static int
check(int n)
{
	if (n > limit) {
		pthread_mutex_unlock(&m);
		return -1;
	}
	return 0;
}

static void *
work(void *arg)
{
	pthread_mutex_lock(&m);
	check((int)(long)arg);
	g++; // RACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
