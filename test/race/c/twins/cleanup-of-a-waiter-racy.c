/* The cleanup handler that gives the mutex back is popped and run before the last update. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, last;

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
	n++; // NORACE
	pthread_testcancel();
	pthread_cleanup_pop(1);
	last = 1; // RACE
	return a;
}

int
main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, w, NULL);
	pthread_create(&b, NULL, w, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return n + last; // NORACE
}
