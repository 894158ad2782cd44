/* Szymanski's lock without its last wait. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

_Atomic int flag1, flag2;
int x;
void *
thr1(void *arg)
{
	flag1 = 1;
	while (flag2 >= 3)
		;
	flag1 = 3;
	if (flag2 == 1) {
		flag1 = 2;
		while (flag2 != 4)
			;
	}
	flag1 = 4;
	x = 0; // RACE
	assert(x <= 0);
	while (2 <= flag2 && flag2 <= 3)
		;
	flag1 = 0;
	return 0;
}
void *
thr2(void *arg)
{
	flag2 = 1;
	while (flag1 >= 3)
		;
	flag2 = 3;
	if (flag1 == 1) {
		flag2 = 2;
		while (flag1 != 4)
			;
	}
	flag2 = 4;
	x = 1; // RACE
	assert(x >= 1);
	while (2 <= flag1 && flag1 <= 3)
		;
	flag2 = 0;
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
