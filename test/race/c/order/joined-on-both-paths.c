/* Both paths join. */
#include <pthread.h>

static int g;

static void *
worker(void *arg)
{
	g = 1; // NORACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t h;
	void *result;

	(void)argv;
	pthread_create(&h, NULL, worker, NULL);
	if (argc > 1)
		pthread_join(h, NULL);
	else
		pthread_join(h, &result);
	g = 2; // NORACE
	return 0;
}
