/* A scoped-lock macro around a block. */
#include <pthread.h>

#define WITH_LOCK(m)                                                          \
	for (int once_ = (pthread_mutex_lock(m), 1); once_;                   \
	     once_ = (pthread_mutex_unlock(m), 0))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int width, height;

static void *
resize(void *arg)
{
	WITH_LOCK(&lock) {
		width++; // NORACE
		height++; // NORACE
	}
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, resize, NULL);
	pthread_create(&b, NULL, resize, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return width + height;
}
