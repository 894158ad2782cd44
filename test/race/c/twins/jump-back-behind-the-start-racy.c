/* The thread is started behind setjmp: where control comes back it runs, and main writes what it reads. */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf env;
static int mode;

static void *
w(void *a)
{
	return mode ? a : NULL; // RACE
}

int
main(int argc, char **argv)
{
	pthread_t t;
	if (setjmp(env) != 0) {
		mode = 2; // RACE
		return 1;
	}
	mode = 1; // NORACE
	pthread_create(&t, NULL, w, NULL);
	if (argc > 1)
		longjmp(env, 1);
	pthread_join(t, NULL);
	return 0;
}
