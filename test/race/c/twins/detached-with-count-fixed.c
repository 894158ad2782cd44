/* A detached thread counts itself out under the lock. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int running;

static void *
serve(void *arg)
{
	pthread_mutex_lock(&m);
	running--; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

int
main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t t;

		pthread_mutex_lock(&m);
		running++; // NORACE
		pthread_mutex_unlock(&m);
		pthread_create(&t, NULL, serve, NULL);
		pthread_detach(t);
	}
	return 0;
}
