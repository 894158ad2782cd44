/* Two threads each leave an object in one place and start a thread that finds it, or the
 * other's, there. */
#include <pthread.h>
#include <stdlib.h>

static int *volatile place;

static void *
second(void *arg)
{
	int *p = place;

	*p = 1; // RACE
	return arg;
}

static void *
first(void *arg)
{
	pthread_t t;

	place = malloc(sizeof *place);
	pthread_create(&t, NULL, second, NULL);
	return arg;
}

int
main(void)
{
	pthread_t t;

	for (int i = 0; i < 2; i++)
		pthread_create(&t, NULL, first, NULL);
	return 0;
}
