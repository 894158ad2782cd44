/* The options are set after the first thread that reads them was started. */
#include <pthread.h>
#include <stdlib.h>

static struct {
	int verbose;
	int port;
} options;

static void
read_options(int argc, char **argv)
{
	options.port = argc > 1 ? atoi(argv[1]) : 80; // RACE
	options.verbose = argc > 2; // RACE
}

static void *
listen_on(void *arg)
{
	if (options.verbose) // RACE
		return arg;
	return options.port ? arg : NULL; // RACE
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	pthread_create(&a, NULL, listen_on, NULL);
	read_options(argc, argv);
	pthread_create(&b, NULL, listen_on, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
