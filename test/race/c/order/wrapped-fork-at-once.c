/* A wrapper of fork starts two threads at once. */
#include <pthread.h>

static int g;

static void *
first(void *arg)
{
	g = 1; // RACE
	return arg;
}

static void *
second(void *arg)
{
	g = 2; // RACE
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
	b = thr(second);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return g; // NORACE
}
