/* A function that starts threads says by its result whether it did; they are joined only where it
 * did, and what comes behind is alone either way. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t t, u;
static int data, other;

static void *
worker(void *arg)
{
	pthread_mutex_lock(&m);
	data++; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
single(void *arg)
{
	other++; // NORACE
	return arg;
}

static int
setup(int bad)
{
	if (bad)
		goto out;
	pthread_create(&t, NULL, worker, NULL);
	pthread_create(&u, NULL, worker, NULL);
	return 0;
out:
	return -1;
}

/* The result is that of the fork. */
static int
begin(pthread_t *h)
{
	return pthread_create(h, NULL, single, NULL);
}

int
main(int argc, char **argv)
{
	pthread_t h;

	(void)argv;
	if (setup(argc > 1) == 0) {
		pthread_join(t, NULL);
		pthread_join(u, NULL);
	}
	data = -1; // NORACE
	if (!begin(&h))
		pthread_join(h, NULL);
	other = -1; // NORACE
	return 0;
}
