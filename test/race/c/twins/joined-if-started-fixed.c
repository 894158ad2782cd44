/* Threads that are started under a condition are joined under the same one,
 * or if starting them went well. */
#include <pthread.h>

static int first, second;

static void *
one(void *arg)
{
	first++; // NORACE
	return arg;
}

static void *
two(void *arg)
{
	second++; // NORACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;
	int started = 0;

	if (argc > 1)
		pthread_create(&a, NULL, one, NULL);
	if (argv[0])
		started = pthread_create(&b, NULL, two, NULL) == 0;
	if (argc > 1)
		pthread_join(a, NULL);
	first = 2; // NORACE
	if (started)
		pthread_join(b, NULL);
	second = 2; // NORACE
	return 0;
}
