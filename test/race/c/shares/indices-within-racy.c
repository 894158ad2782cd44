/* Two threads use parts of an array that conditions, assumptions, masks and remainders bound. But these meet in one
 * element, speak of another number, are of either sign, or are not passed on every way. */
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int assumed[8], tested[16], masked[16], other[8], either[8], signs[8], later[8], rest[16];

static void *low(void *arg)
{
	unsigned i = __VERIFIER_nondet_uint();
	int k = __VERIFIER_nondet_int();

	if (i < 8) {
		later[i] = 1; // RACE
		__VERIFIER_assume(i < 4);
		assumed[i] = 1; // RACE
		either[i] = 1;  // RACE
		other[i] = 1;   // RACE
		signs[i] = 1;   // RACE
	}
	if (k >= 0 && k <= 8)
		tested[k] = 1; // RACE
	masked[rand() & 8] = 1; // RACE
	rest[8 + rand() % 8] = 1; // RACE
	return arg;
}

static void *high(void *arg)
{
	int j = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
	int x = __VERIFIER_nondet_int() & 7, s = __VERIFIER_nondet_int();

	__VERIFIER_assume(j >= 3 && j < 8);
	assumed[j] = 2; // RACE
	later[j] = 2;   // RACE
	other[x] = 2;   // RACE
	if (x >= 4 || rand())
		either[x] = 2; // RACE
	if (k >= 8 && k < 16)
		tested[k] = 2; // RACE
	masked[8 + (rand() & 7)] = 2; // RACE
	if (s < 8 && s != 4)
		signs[s] = 2; // RACE
	rest[(rand() & 7) + 7] = 2; // RACE
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
