#include <pthread.h>

static int a, b, c;

static void *
worker(void *arg)
{
	/* concord: ignore-begin(start-up values, written once) */
	a = 1;
	b = 1;
	/* concord: ignore-end */
	c = 1;
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	return a + b + c;
}
