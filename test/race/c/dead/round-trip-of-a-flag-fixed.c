/* A loop that runs once: its condition is that of the round before. */
#include <pthread.h>

#define LOCKED(m)                                                             \
	for (int go_ = (pthread_mutex_lock(m), 1); go_;                       \
	     go_ = (pthread_mutex_unlock(m), 0))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, outside;

static void *
work(void *arg)
{
	LOCKED(&lock)
		inside++; // NORACE
	LOCKED(&lock)
		outside++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return inside + outside;
}
