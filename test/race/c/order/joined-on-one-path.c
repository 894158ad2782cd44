/* The join happens on one path only. */
#include <pthread.h>

static int g;

static void *
worker(void *arg)
{
	g = 1; // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t h;

	(void)argv;
	pthread_create(&h, NULL, worker, NULL);
	if (argc > 1)
		pthread_join(h, NULL);
	g = 2; // RACE
	return 0;
}
