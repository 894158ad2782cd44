/* Two atomic blocks of the verification suites exclude each other. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x;

static void *
thread_1(void *arg)
{
	__VERIFIER_atomic_begin();
	x = x + 1; // NORACE
	__VERIFIER_atomic_end();
	return arg;
}

static void *
thread_2(void *arg)
{
	__VERIFIER_atomic_begin();
	x = x + 2; // NORACE
	__VERIFIER_atomic_end();
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
