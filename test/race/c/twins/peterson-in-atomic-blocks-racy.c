/* Peterson's lock where both give the turn to the same. */
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int flag1 = 0, flag2 = 0, turn;
int x;
void *
thr1(void *arg)
{
	__VERIFIER_atomic_begin();
	flag1 = 1;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	turn = 1;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	int f21 = flag2;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	int t1 = turn;
	__VERIFIER_atomic_end();
	while (f21 == 1 && t1 == 1) {
		__VERIFIER_atomic_begin();
		f21 = flag2;
		__VERIFIER_atomic_end();
		__VERIFIER_atomic_begin();
		t1 = turn;
		__VERIFIER_atomic_end();
	}
	x = 0; // RACE
	if (x > 0)
		abort();
	__VERIFIER_atomic_begin();
	flag1 = 0;
	__VERIFIER_atomic_end();
	return 0;
}
void *
thr2(void *arg)
{
	__VERIFIER_atomic_begin();
	flag2 = 1;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	turn = 1;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	int f12 = flag1;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	int t2 = turn;
	__VERIFIER_atomic_end();
	while (f12 == 1 && t2 == 0) {
		__VERIFIER_atomic_begin();
		f12 = flag1;
		__VERIFIER_atomic_end();
		__VERIFIER_atomic_begin();
		t2 = turn;
		__VERIFIER_atomic_end();
	}
	x = 1; // RACE
	if (x < 1)
		abort();
	__VERIFIER_atomic_begin();
	flag2 = 0;
	__VERIFIER_atomic_end();
	return 0;
}
int
main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, thr1, 0);
	pthread_create(&t2, 0, thr2, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
