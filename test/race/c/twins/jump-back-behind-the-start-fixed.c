/* The thread that was started behind setjmp has ended where control comes back. */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf env;
static int mode;

static void *
w(void *a)
{
	return mode ? a : NULL; // NORACE
}

int
main(int argc, char **argv)
{
	pthread_t t;
	if (setjmp(env) != 0) {
		mode = 2; // NORACE
		return 1;
	}
	mode = 1; // NORACE
	pthread_create(&t, NULL, w, NULL);
	pthread_join(t, NULL);
	if (argc > 1)
		longjmp(env, 1);
	return 0;
}
