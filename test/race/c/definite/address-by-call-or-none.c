/* A function returns the address of its static variable, or none. */
#include <pthread.h>

static int *
counter(int which)
{
	static int n;

	return which > 1000 ? NULL : &n;
}

static void *
work(void *arg)
{
	++*counter(*(int *)arg); // RACE !definite
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	pthread_create(&a, NULL, work, &argc);
	pthread_create(&b, NULL, work, &argc);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
