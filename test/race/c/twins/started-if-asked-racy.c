/* A thread that is started only if asked for runs beside what comes later. */
#include <pthread.h>

static int g;

static void *
work(void *arg)
{
	g = 1; // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a;

	(void)argv;
	if (argc > 1)
		pthread_create(&a, NULL, work, NULL);
	g = 2; // RACE
	return 0;
}
