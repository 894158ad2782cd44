/* A user marks itself under a lock unless the thing is being closed; who closes it waits, under the
 * same lock, until no user is marked. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int using, closing, data = 1;

static void *
use(void *arg)
{
	int ok = 0;

	pthread_mutex_lock(&m);
	if (!closing) {
		using = 1;
		ok = 1;
	}
	pthread_mutex_unlock(&m);
	if (ok) {
		data++; // NORACE
		pthread_mutex_lock(&m);
		using = 0;
		pthread_mutex_unlock(&m);
	}
	return arg;
}
int
main(void)
{
	pthread_t t;
	int done = 0;

	pthread_create(&t, NULL, use, NULL);
	while (!done) {
		pthread_mutex_lock(&m);
		if (!using) {
			closing = 1;
			done = 1;
		}
		pthread_mutex_unlock(&m);
	}
	data = 0; // NORACE
	pthread_join(t, NULL);
	return data;
}
