/* A server's loop: what fails before the next setjmp comes back to the last one. */
#include <pthread.h>
#include <setjmp.h>

static jmp_buf env;
static int errors;

static void
next(int n)
{
	if (n & 1)
		longjmp(env, 1);
}

static void *
w(void *a)
{
	return errors ? a : NULL; // RACE
}

int
main(int argc, char **argv)
{
	pthread_t t;
	for (int i = 0; i < argc; i++) {
		if (i)
			next(argc);
		if (setjmp(env))
			errors++; // RACE
		else
			pthread_create(&t, NULL, w, NULL);
	}
	return 0;
}
