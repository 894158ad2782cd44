/* The option is set by an argument of the program. */
#include <pthread.h>

static int tracing;
static int seen;

static void *
work(void *arg)
{
	if (tracing)
		seen++; // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	if (argc > 1)
		tracing = 1;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
