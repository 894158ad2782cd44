/* Nothing follows a loop without an end. */
#include <pthread.h>
#include <unistd.h>

static int x;

static void *
first(void *arg)
{
	for (;;)
		pause();
	x = 1; // NORACE
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
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
