/* What the worker asks shared code to do is never what only main may do.
 * It always asks to put things off. */
#include <pthread.h>

int freed; // counted by main alone
int later;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void
release_now(void)
{
	freed++; // NORACE
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
	finish(arg != 0, 1);
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
