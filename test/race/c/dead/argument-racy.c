/* The worker sometimes asks shared code for what only main may do.
 * What it asks for depends on what it was given. */
#include <pthread.h>

int freed; // counted by main alone
int later;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
release_now(void)
{
	freed++; // RACE
}

static void
put_off(void)
{
	pthread_mutex_lock(&m);
	later++; // NORACE
	pthread_mutex_unlock(&m);
}

static void
let_go(int async)
{
	if (async)
		put_off();
	else
		release_now();
}

static void
finish(int error, int async)
{
	if (error)
		let_go(async);
}

static void *
worker(void *arg)
{
	finish(1, arg != 0);
	return 0;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, 0, worker, argv);
	finish(argc, 0);
	pthread_join(t, 0);
	return freed + later;
}
