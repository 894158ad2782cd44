/* Two threads use parts of an array that conditions, assumptions, masks and remainders keep apart. */
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int assumed[8], tested[16], masked[16];


static void *low(void *arg)
{
	unsigned i = __VERIFIER_nondet_uint();
	int k = __VERIFIER_nondet_int();

	__VERIFIER_assume(i < 4);
	assumed[i] = 1; // NORACE
	if (k < 0 || k > 7)
		return 0;
	tested[k] = 1; // NORACE
	masked[rand() & 7] = 1; // NORACE
	return arg;
}

static void *high(void *arg)
{
	int j = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();

	__VERIFIER_assume(j >= 4 && j < 8);
	assumed[j] = 2; // NORACE
	if (k >= 8 && k < 16)
		tested[k] = 2; // NORACE
	masked[8 + (unsigned)rand() % 8] = 2; // NORACE
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, 0, low, 0);
	pthread_create(&b, 0, high, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
