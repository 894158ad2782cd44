/* The same two writes, one thread after the other. */
#include <pthread.h>

static int x;

static void *
first(void *arg)
{
	x = 6; // NORACE
	return arg;
}

static void *
second(void *arg)
{
	x = 2; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_join(a, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(b, NULL);
	return 0;
}
