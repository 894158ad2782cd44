/* A thread returns the address of its result; the result is a static of all threads. */
#include <pthread.h>
#include <stdlib.h>

static void *
compute(void *arg)
{
	static int result;
	int *r = &result;

	*r = *(int *)arg * 2; // RACE
	return r;
}

int
main(void)
{
	int one = 1, two = 2, sum = 0;
	pthread_t a, b;
	void *x, *y;

	pthread_create(&a, NULL, compute, &one);
	pthread_create(&b, NULL, compute, &two);
	pthread_join(a, &x);
	pthread_join(b, &y);
	if (x && y)
		sum = *(int *)x + *(int *)y; // NORACE
	free(NULL);
	return sum;
}
