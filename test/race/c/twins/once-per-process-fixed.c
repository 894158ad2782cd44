/* Initialisation by pthread_once from both threads. */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int *table;

static void
start(void)
{
	static int space[4];

	space[0] = 1;
	table = space; // NORACE
}

static void *
work(void *arg)
{
	pthread_once(&once, start);
	return table ? arg : NULL; // NORACE
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, work, NULL);
	pthread_create(&b, NULL, work, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
