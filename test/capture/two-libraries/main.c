#include <pthread.h>

int one(void), two(void);

static void *
work(void *x)
{
	one();
	return x;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	return two();
}
