/* The options are set before the threads that read them are started. */
#include <pthread.h>
#include <stdlib.h>

static struct {
	int verbose;
	int port;
} options;

static void
read_options(int argc, char **argv)
{
	options.port = argc > 1 ? atoi(argv[1]) : 80; // NORACE
	options.verbose = argc > 2; // NORACE
}

static void *
listen_on(void *arg)
{
	if (options.verbose) // NORACE
		return arg;
	return options.port ? arg : NULL; // NORACE
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	read_options(argc, argv);
	pthread_create(&a, NULL, listen_on, NULL);
	pthread_create(&b, NULL, listen_on, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
