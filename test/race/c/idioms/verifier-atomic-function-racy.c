/* A lock made of an atomic function that only checks and does not set. */
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int taken;

int
acquire_token(void)
{
	if (taken) // RACE
		return 0;
	taken = 1; // RACE
	return 1;
}

static void *
worker(void *arg)
{
	int n = __VERIFIER_nondet_int();

	__VERIFIER_assume(n > 0);
	if (acquire_token() && n < 0)
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
