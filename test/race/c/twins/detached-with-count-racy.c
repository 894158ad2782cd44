/* A detached thread counts itself out without the lock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int running;

static void *
serve(void *arg)
{
	running--; // RACE
	return arg;
}

int
main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t t;

		pthread_mutex_lock(&m);
		running++; // RACE
		pthread_mutex_unlock(&m);
		pthread_create(&t, NULL, serve, NULL);
		pthread_detach(t);
	}
	return 0;
}
