/* Threads are started under one condition and joined under another. */
#include <pthread.h>

static int first, second;

static void *
one(void *arg)
{
	first++; // RACE
	return arg;
}

static void *
two(void *arg)
{
	second++; // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;
	int asked = 0;

	if (argc > 1)
		pthread_create(&a, NULL, one, NULL);
	if (argv[0])
		asked = 1;
	pthread_create(&b, NULL, two, NULL);
	if (argc > 2)
		pthread_join(a, NULL);
	first = 2; // RACE
	if (asked)
		pthread_join(b, NULL);
	second = 2; // RACE
	return 0;
}
