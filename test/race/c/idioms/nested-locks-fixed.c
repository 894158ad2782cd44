/* Two locks are nested; the outer one still covers what follows the inner. */
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
	dirty = 1; // NORACE
	pthread_mutex_unlock(&outer);
	return arg;
}

static void *
flusher(void *arg)
{
	pthread_mutex_lock(&outer);
	if (dirty) // NORACE
		dirty = 0; // NORACE
	pthread_mutex_unlock(&outer);
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
