/* The lock is chosen by a table of pointers of which all entries name one lock. */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int g;

static void *
one(void *arg)
{
	pthread_mutex_lock(&a);
	g++; // NORACE
	pthread_mutex_unlock(&a);
	return arg;
}

static void *
two(void *arg)
{
	pthread_mutex_t *const l = &a;

	pthread_mutex_lock(l);
	g--; // NORACE
	pthread_mutex_unlock(l);
	pthread_mutex_lock(&b);
	pthread_mutex_unlock(&b);
	return arg;
}

int
main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
