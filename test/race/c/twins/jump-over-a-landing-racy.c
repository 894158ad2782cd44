/* An inner landing place is jumped over: the failure means the outer one, where the lock is held by nobody. */
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int failures, retries;

static void
inner(jmp_buf *outer, int i)
{
	jmp_buf env;
	if (setjmp(env)) {
		retries++;
		pthread_mutex_unlock(&m);
		return;
	}
	pthread_mutex_lock(&m);
	if (i == 1)
		longjmp(env, 1);
	pthread_mutex_unlock(&m);
	if (i == 2)
		longjmp(*outer, 2);
}

static void *
w(void *a)
{
	jmp_buf env;
	int r;
	if ((r = setjmp(env)) != 0)
		failures += r; // RACE
	else
		inner(&env, *(int *)a);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;
	pthread_create(&a, NULL, w, &argc);
	pthread_create(&b, NULL, w, &argc);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return failures;
}
