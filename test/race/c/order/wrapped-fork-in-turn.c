/* A wrapper of fork starts two threads one after the other: they do not overlap. */
#include <pthread.h>

static int g;

static void *
first(void *arg)
{
	g = 1; // NORACE
	return arg;
}

static void *
second(void *arg)
{
	g = 2; // NORACE
	return arg;
}

static pthread_t
thr(void *(*f)(void *))
{
	pthread_t h;

	pthread_create(&h, NULL, f, NULL);
	return h;
}

int
main(void)
{
	pthread_t a, b;

	a = thr(first);
	pthread_join(a, NULL);
	b = thr(second);
	pthread_join(b, NULL);
	return g; // NORACE
}
