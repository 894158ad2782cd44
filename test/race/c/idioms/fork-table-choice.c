/* Each round of a loop starts one of several functions: that the loop runs twice does not say that one of them is started twice. */
#include <pthread.h>
#include <stddef.h>

static int hits;

static void *
first(void *p)
{
	hits++; // RACE !definite
	return p;
}

static void *
second(void *p)
{
	return p;
}

static void *(*jobs[2])(void *) = {first, first};

int
main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	if (argc > 1)
		jobs[1] = second;
	for (int i = 0; i < 2; i++)
		pthread_create(&t, NULL, jobs[i], NULL);
	return 0;
}
