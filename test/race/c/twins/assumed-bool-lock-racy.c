/* A lock that is a _Bool, which atomic blocks assume to be free, without a comparison, and take. One of them takes it in any case. */
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

static _Bool lock;
static int x, rounds;

static void
assume_abort_if_not(int cond)
{
	if (!cond)
		abort();
}
static void *
up(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		__VERIFIER_atomic_begin();
		assume_abort_if_not(!lock);
		lock = 1;
		__VERIFIER_atomic_end();
		x++; // RACE
		__VERIFIER_atomic_begin();
		lock = 0;
		__VERIFIER_atomic_end();
	}
	return arg;
}
static void *
down(void *arg)
{
	__VERIFIER_atomic_begin();
	lock = 1;
	__VERIFIER_atomic_end();
	x--; // RACE
	__VERIFIER_atomic_begin();
	lock = 0;
	__VERIFIER_atomic_end();
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	rounds = __VERIFIER_nondet_int();
	pthread_create(&a, NULL, up, NULL);
	pthread_create(&b, NULL, down, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return x;
}
