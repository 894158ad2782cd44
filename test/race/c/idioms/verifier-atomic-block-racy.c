/* An update beside the atomic block that protects the other one. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

static void *
thread_1(void *arg)
{
	__VERIFIER_atomic_begin();
	x = x + 1; // RACE
	__VERIFIER_atomic_end();
	return arg;
}

static void *
thread_2(void *arg)
{
	x = x + 2; // RACE
	return arg;
}

int
main(void)
{
	pthread_t t1, t2;

	pthread_create(&t1, 0, thread_1, 0);
	pthread_create(&t2, 0, thread_2, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
