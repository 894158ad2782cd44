/* A fault handler jumps back; the recovery counts what a thread reads. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf env;
static int faults;

static void
on(int s)
{
	siglongjmp(env, 1);
}

static void *
w(void *a)
{
	return faults ? a : NULL; // RACE
}

int
main(void)
{
	pthread_t t;
	int *volatile p = NULL;
	signal(SIGSEGV, on);
	pthread_create(&t, NULL, w, NULL);
	if (sigsetjmp(env, 1)) {
		faults++; // RACE
		return 1;
	}
	*p = 1;
	pthread_join(t, NULL);
	return 0;
}
