/* A function returns the address of its static variable. */
#include <pthread.h>

static int *
counter(int which)
{
	static int n;

	return which ? &n : &n;
}

static void *
work(void *arg)
{
	++*counter(arg != NULL); // RACE definite
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
