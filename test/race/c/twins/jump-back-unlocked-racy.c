/* A thread that fails under its lock jumps back, having given the lock back, and counts at the landing place. */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int failures, value;

static void
attempt(jmp_buf *env, int i)
{
	if (i & 1) {
		pthread_mutex_unlock(&m);
		longjmp(*env, 1);
	}
	value += i; // NORACE
}

static void *
w(void *a)
{
	jmp_buf env;
	int i = a != NULL;
	pthread_mutex_lock(&m);
	if (setjmp(env) == 0) {
		attempt(&env, i);
		pthread_mutex_unlock(&m);
	} else {
		failures++; // RACE
	}
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
