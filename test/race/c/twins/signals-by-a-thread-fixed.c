/* Signals are blocked everywhere and taken by a thread with sigwait; what it does is under the lock. */
#include <pthread.h>
#include <signal.h>

static sigset_t set;
static int reloads;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
sig(void *a)
{
	int s;
	for (;;) {
		sigwait(&set, &s); // NORACE
		if (s == SIGTERM)
			return a;
		pthread_mutex_lock(&m);
		reloads++; // NORACE
		pthread_mutex_unlock(&m);
	}
}

int
main(void)
{
	pthread_t t;
	int n;
	sigemptyset(&set); // NORACE
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGTERM); // NORACE
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, sig, NULL);
	pthread_mutex_lock(&m);
	n = reloads; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return n;
}
