#include <pthread.h>

static int a, b, c;

static void *
worker(void *arg)
{
	a = 1; // concord: ignore
	b = 1; // concord: ignore( )
	// concord: ignore-end
	c = 1;
	return arg;
}

// concord: ignore-begin(no end)
int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	return a + b + c;
}
