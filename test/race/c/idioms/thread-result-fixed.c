/* A thread returns its result on the heap, to whoever joins it. */
#include <pthread.h>
#include <stdlib.h>

static void *
compute(void *arg)
{
	int *r = malloc(sizeof *r);

	if (!r)
		return NULL;
	*r = *(int *)arg * 2; // NORACE
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
