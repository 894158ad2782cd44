/* An alarm's handler jumps out of a critical section: where it lands, the lock may be held, or not. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

static sigjmp_buf env;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int late, done;

static void
on(int s)
{
	siglongjmp(env, 1);
}

static void *
w(void *a)
{
	pthread_mutex_lock(&m);
	late++; // RACE
	pthread_mutex_unlock(&m);
	return a;
}

int
main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, w, NULL);
	signal(SIGALRM, on);
	alarm(1);
	if (sigsetjmp(env, 1)) {
		late++; // RACE
		return 1;
	}
	pthread_mutex_lock(&m);
	done++;
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
