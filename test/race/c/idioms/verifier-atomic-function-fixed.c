/* A test-and-set in a function that is atomic by its name. */
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int taken;

int
__VERIFIER_atomic_acquire_token(void)
{
	if (taken) // NORACE
		return 0;
	taken = 1; // NORACE
	return 1;
}

static void *
worker(void *arg)
{
	int n = __VERIFIER_nondet_int();

	__VERIFIER_assume(n > 0);
	if (__VERIFIER_atomic_acquire_token() && n < 0)
		reach_error();
	return arg;
}

int
main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
