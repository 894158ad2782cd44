/* A handler ends the thread that it interrupts, and so a thread that never returns. */
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
	total++; // RACE
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
	total = 0; // RACE
	return 0;
}
