/* The lock is still held where a failure lands, and given back there. */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int failures, value;

static void
attempt(jmp_buf *env, int i)
{
	if (i & 1)
		longjmp(*env, 1);
	value += i; // NORACE
}

static void *
w(void *a)
{
	jmp_buf env;
	int i = a != NULL;
	pthread_mutex_lock(&m);
	if (setjmp(env) == 0)
		attempt(&env, i);
	else
		failures++; // NORACE
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
