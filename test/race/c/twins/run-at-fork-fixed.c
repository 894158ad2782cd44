/* A lock is taken before a process is forked, and given back behind it. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int forks;

static void
before(void)
{
	pthread_mutex_lock(&lock);
	forks++; // NORACE
	pthread_mutex_unlock(&lock);
}

static void *
work(void *arg)
{
	pthread_mutex_lock(&lock);
	forks--; // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t;

	forks = 1; // NORACE
	pthread_atfork(before, NULL, NULL);
	pthread_create(&t, NULL, work, NULL);
	if (fork() == 0)
		_exit(0);
	pthread_join(t, NULL);
	return 0;
}
