/* What runs before a process is forked runs while threads do. */
#include <pthread.h>
#include <unistd.h>

static int forks;

static void
before(void)
{
	forks++; // RACE
}

static void *
work(void *arg)
{
	return forks ? NULL : arg; // RACE
}

int
main(void)
{
	pthread_t t;

	pthread_atfork(before, NULL, NULL);
	pthread_create(&t, NULL, work, NULL);
	if (fork() == 0)
		_exit(0);
	pthread_join(t, NULL);
	return 0;
}
