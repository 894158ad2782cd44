/* What comes after a thread that is started only if asked for waits for it where it was started. */
#include <pthread.h>

static int g;

static void *
work(void *arg)
{
	g = 1; // NORACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a;

	(void)argv;
	if (argc > 1) {
		pthread_create(&a, NULL, work, NULL);
		pthread_join(a, NULL);
	}
	g = 2; // NORACE
	return 0;
}
