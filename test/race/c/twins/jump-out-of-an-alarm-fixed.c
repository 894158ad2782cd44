/* An alarm's handler jumps out of a critical section, and what is done where it lands is the thread's own, or atomic. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static sigjmp_buf env;
static atomic_int late;
static int mine;

static void
on(int s)
{
	siglongjmp(env, 1);
}

static void *
w(void *a)
{
	late++; // NORACE
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
		late++;      // NORACE
		return mine; // NORACE
	}
	mine++; // NORACE
	pthread_join(t, NULL);
	return 0;
}
