/* A handler installed by sigaction writes a plain struct that a worker reads; the sig_atomic_t flag is volatile. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t quit;
static struct {
	int signo, count;
} last;

static void
on(int s)
{
	quit = 1;       // RACE possible
	last.signo = s; // RACE
}

static void *
w(void *a)
{
	while (!quit) // RACE possible
		;
	return (void *)(long)last.signo; // RACE
}

int
main(void)
{
	struct sigaction sa;
	pthread_t t;
	memset(&sa, 0, sizeof sa);
	sa.sa_handler = on;
	sigaction(SIGTERM, &sa, NULL);
	pthread_create(&t, NULL, w, NULL);
	pthread_join(t, NULL);
	return 0;
}
