/* Two straight lines to one variable: every program that runs has this race. */
#include <pthread.h>

static int x;

static void *
first(void *arg)
{
	x = 6; // RACE definite
	return arg;
}

static void *
second(void *arg)
{
	x = 2; // RACE definite
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
