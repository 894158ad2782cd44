/* The loop may never end: the write behind it is not certain to be reached. */
#include <pthread.h>
#include <unistd.h>

static int x, stay;

static void *
first(void *arg)
{
	while (stay)
		pause();
	x = 1; // RACE !definite
	return arg;
}

static void *
second(void *arg)
{
	x = 2; // RACE !definite
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	stay = argc > 1;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
