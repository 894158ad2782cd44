/* Joining a thread does not join the threads that it started. */
#include <pthread.h>

static int g;

static void *
child(void *arg)
{
	g = 1; // RACE
	return arg;
}

static void *
parent(void *arg)
{
	pthread_t c;

	pthread_create(&c, NULL, child, NULL);
	pthread_detach(c);
	return arg;
}

int
main(void)
{
	pthread_t p;

	pthread_create(&p, NULL, parent, NULL);
	pthread_join(p, NULL);
	g = 2; // RACE
	return 0;
}
