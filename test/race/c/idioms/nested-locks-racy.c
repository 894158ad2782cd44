/* Two locks are nested; the inner one is released first, and it was the one that counted. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static int dirty;

static void *
writer(void *arg)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_lock(&inner);
	pthread_mutex_unlock(&inner);
	dirty = 1; // RACE
	pthread_mutex_unlock(&outer);
	return arg;
}

static void *
flusher(void *arg)
{
	pthread_mutex_lock(&inner);
	if (dirty) // RACE
		dirty = 0; // RACE
	pthread_mutex_unlock(&inner);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, flusher, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
