/* A waiter that may be cancelled gives the mutex back by a cleanup handler. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int jobs, done;

static void
unlock(void *x)
{
	pthread_mutex_unlock(x);
}

static void *
w(void *a)
{
	pthread_mutex_lock(&m);
	pthread_cleanup_push(unlock, &m);
	while (jobs == 0) // NORACE
		pthread_cond_wait(&c, &m);
	jobs--; // NORACE
	done++; // NORACE
	pthread_cleanup_pop(1);
	return a;
}

int
main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, w, NULL);
	pthread_create(&b, NULL, w, NULL);
	pthread_mutex_lock(&m);
	jobs = 1; // NORACE
	pthread_mutex_unlock(&m);
	pthread_cond_broadcast(&c);
	pthread_cancel(b);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return done; // NORACE
}
