/* Callbacks of two types in one record: the thread calls only the one whose type fits. */
#include <pthread.h>
#include <stdlib.h>

struct ops {
	void *run[2];
};

static struct ops *ops;
static int g;

static int
quiet(void *arg)
{
	return arg != NULL;
}

static int
loud(void *arg, int by)
{
	g += by; // NORACE
	return arg != NULL;
}

static void *
worker(void *arg)
{
	int i = rand() & 1;

	((int (*)(void *))ops->run[i])(arg);
	return NULL;
}

int
main(void)
{
	pthread_t a, b;

	ops = malloc(sizeof *ops);
	if (!ops)
		return 1;
	ops->run[0] = quiet;
	ops->run[1] = loud;
	((int (*)(void *))ops->run[0])(NULL);
	((int (*)(void *, int))ops->run[1])(NULL, 2);
	pthread_create(&a, NULL, worker, NULL);
	pthread_create(&b, NULL, worker, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
