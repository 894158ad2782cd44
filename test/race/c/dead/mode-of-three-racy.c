/* A mode in a struct; a pointer to it is how it gets another value. */
#include <pthread.h>
#include <stdlib.h>

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
		hits++; // RACE
		break;
	}
	return arg;
}

static void
set(int *option, const char *text)
{
	*option = atoi(text);
}

int
main(int argc, char **argv)
{
	pthread_t a, b;

	if (argc > 1)
		set(&config.mode, argv[1]);
	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
