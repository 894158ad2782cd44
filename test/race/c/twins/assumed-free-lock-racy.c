/* A lock of the verification suites that is taken without the assumption that it is free. */
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int lock, total;
static void
take(void)
{
	__VERIFIER_atomic_begin();
	__VERIFIER_assume(lock <= 1);
	lock = 1;
	__VERIFIER_atomic_end();
}
static void
give(void)
{
	__VERIFIER_atomic_begin();
	lock = 0;
	__VERIFIER_atomic_end();
}
static void *
work(void *arg)
{
	take();
	total++; // RACE
	give();
	return arg;
}
int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
