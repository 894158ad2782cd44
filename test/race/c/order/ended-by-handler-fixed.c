/* A handler ends a thread that never returns; the other one is joined. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int beats, total;

static void
leave(int sig)
{
	(void)sig;
	pthread_exit(NULL);
}

static void *
beat(void *arg)
{
	for (;;) {
		beats++; // NORACE
		usleep(1000);
	}
	return arg;
}

static void *
add(void *arg)
{
	total++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	signal(SIGUSR1, leave);
	pthread_create(&a, NULL, beat, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_kill(a, SIGUSR1);
	pthread_join(a, NULL);
	beats = 0; // NORACE
	pthread_join(b, NULL);
	total = 0; // NORACE
	return 0;
}
