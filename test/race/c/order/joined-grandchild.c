/* A thread that joins its own child has ended after it. */
#include <pthread.h>

static int g;

static void *
child(void *arg)
{
	g = 1; // NORACE
	return arg;
}

static void *
parent(void *arg)
{
	pthread_t c;

	pthread_create(&c, NULL, child, NULL);
	pthread_join(c, NULL);
	return arg;
}

int
main(void)
{
	pthread_t p;

	pthread_create(&p, NULL, parent, NULL);
	pthread_join(p, NULL);
	g = 2; // NORACE
	return 0;
}
