/* The function ends the process only if it is told to be strict; the loop ends. */
#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int wrong, worse;

static void
require(int condition, int strict)
{
	if (!condition && strict)
		abort();
}

static void *
work(void *arg)
{
	int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();

	require(n > 0, __VERIFIER_nondet_int());
	if (n == 0)
		wrong++; // RACE
	if (m < 5)
		while (m < 4)
			m++;
	if (m == 4)
		worse++; // RACE
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
