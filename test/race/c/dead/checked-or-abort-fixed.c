/* A function that ends the process unless its argument holds, and one that waits forever. */
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int wrong, worse;

static void
require(int condition)
{
	if (!condition)
		abort();
}

static void *
work(void *arg)
{
	int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();

	require(n > 0);
	if (n == 0)
		wrong++; // NORACE
	if (m < 5)
		for (;;)
			;
	if (m == 4)
		worse++; // NORACE
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
