/* A cleanup handler of a thread that may be cancelled counts without the lock. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void
on_end(void *arg)
{
	(void)arg;
	done++; // RACE
}

static void *
worker(void *arg)
{
	pthread_cleanup_push(on_end, NULL);
	sleep(1);
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
