#include <pthread.h>

int counter;

static void *
work(void *arg)
{
	counter++;
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	counter++;
	pthread_join(t, 0);
	return counter;
}
