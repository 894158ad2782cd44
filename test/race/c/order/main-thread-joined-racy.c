/* A thread stops the main thread, and puts back what that has changed before it waits for it. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_t main_thread;
static int changed;

static void *
restore(void *arg)
{
	int sig;

	sigwait(arg, &sig);
	pthread_cancel(main_thread);
	changed = 0; // RACE
	pthread_join(main_thread, NULL);
	return NULL;
}

int
main(void)
{
	pthread_t t;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	main_thread = pthread_self();
	pthread_create(&t, NULL, restore, &set);
	for (;;) {
		changed++; // RACE
		usleep(1);
	}
}
