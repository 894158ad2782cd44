/* A cleanup handler gives back the lock of a thread that may be cancelled. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void
on_end(void *arg)
{
	pthread_mutex_unlock(arg);
}

static void *
worker(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(on_end, &lock);
	done++; // NORACE
	pthread_cleanup_pop(1);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return done; // NORACE
}
