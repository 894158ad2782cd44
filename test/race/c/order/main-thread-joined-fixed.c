/* A thread stops the main thread, waits for it, and puts back what that has changed. */
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
	pthread_join(main_thread, NULL);
	changed = 0; // NORACE-LIKELY
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
		changed++; // NORACE-LIKELY
		usleep(1);
	}
}
