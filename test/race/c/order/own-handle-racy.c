/* A variable holds the handle of another thread than the one that is meant. */
#include <pthread.h>

static pthread_t last, mine;
static int result, other;

static void *
work(void *arg)
{
	result = 1; // RACE
	return arg;
}

/* Whoever comes last says so. */
static void *
come(void *arg)
{
	last = pthread_self();
	return arg;
}

static void *
work_on(void *arg)
{
	other = 1; // RACE
	return arg;
}

int
main(int argc, char **argv)
{
	pthread_t a;

	pthread_create(&last, NULL, work, NULL);
	pthread_create(&a, NULL, come, NULL);
	pthread_join(last, NULL);
	result = 2; // RACE

	pthread_create(&mine, NULL, work_on, NULL);
	if (argc > 1)
		mine = pthread_self();
	pthread_join(mine, NULL);
	other = 2; // RACE
	return 0;
}
