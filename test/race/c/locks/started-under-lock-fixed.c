/* Who is started while its creator holds a lock and then acquires it comes after all that
 * the creator does before the release: its own accesses behind that, also without the lock,
 * those of threads that it starts, and against a thread of the creator's that has ended by then. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int plain, started, ended;

static void *
grandchild(void *arg)
{
	started++; // NORACE
	return arg;
}

static void *
child(void *arg)
{
	pthread_t t;

	pthread_mutex_lock(&m);
	pthread_create(&t, NULL, grandchild, NULL);
	pthread_mutex_unlock(&m);
	plain++; // NORACE
	ended++; // NORACE
	return arg;
}

static void *
helper(void *arg)
{
	ended++; // NORACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t t, h;

	(void)argv;
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&other);
	if (argc > 1)
		pthread_create(&t, NULL, child, NULL);
	pthread_mutex_unlock(&other);
	plain++;   // NORACE
	started++; // NORACE
	pthread_create(&h, NULL, helper, NULL);
	pthread_join(h, NULL);
	pthread_mutex_unlock(&m);
	return 0;
}
