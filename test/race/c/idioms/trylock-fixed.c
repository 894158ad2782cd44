/* The update happens only where trylock took the lock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int updates;

static void *
refresh(void *arg)
{
	if (pthread_mutex_trylock(&m) == 0) {
		updates++; // NORACE
		pthread_mutex_unlock(&m);
	}
	return arg;
}

int
main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, refresh, NULL);
	pthread_create(&t[1], NULL, refresh, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return updates;
}
