/* A worker outlives the one that main joins, which had not started it. */
#include <pthread.h>

static int data, none;

static void *
last(void *arg)
{
	data++; // RACE
	return arg;
}

static void
start(void *(*f)(void *))
{
	pthread_t h;

	if (pthread_create(&h, NULL, f, NULL) == 0)
		pthread_detach(h);
}

static void *
middle(void *arg)
{
	start(last);
	return arg;
}

static void *
worker(void *arg)
{
	none = arg != NULL; // RACE
	if (arg)
		start(last);
	start(middle);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	data = 2; // RACE
	return 0;
}
