/* A mode in a struct, one of two: the third has no code that runs. */
#include <pthread.h>

static struct {
	int mode, level;
} config = {1, 3};
static int hits;

static void *
work(void *arg)
{
	switch (config.mode) {
	case 0:
	case 1: break;
	case 2:
		hits++; // NORACE
		break;
	}
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	(void)argv;
	if (argc > 1)
		config.mode = 0;
	config.level = argc;
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
