/* The lock is taken behind setjmp; the failure jumps with it held, and the landing place gives it back. */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int failures;

static void *
w(void *a)
{
	jmp_buf env;
	if (setjmp(env)) {
		failures++; // NORACE-LIKELY
		pthread_mutex_unlock(&m);
		return NULL;
	}
	pthread_mutex_lock(&m);
	if (a)
		longjmp(env, 1);
	pthread_mutex_unlock(&m);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, w, &a);
	pthread_create(&b, NULL, w, &b);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return failures;
}
