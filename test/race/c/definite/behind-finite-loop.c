/* The loop ends after two rounds that cannot block. */
#include <pthread.h>

static int x, work;

static void *
first(void *arg)
{
	for (int i = 0; i < 2; i++)
		work += i;
	x = 1; // RACE definite
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
