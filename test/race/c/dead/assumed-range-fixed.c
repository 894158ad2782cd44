/* What an assumption rules out is not done. */
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

static int low, high;

static void *
work(void *arg)
{
	int n = __VERIFIER_nondet_int();

	__VERIFIER_assume(n >= 10 && n < 20);
	if (n < 10)
		low++; // NORACE
	if (n + 1 > 20)
		high++; // NORACE
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
