/* One initialiser behind one once-control, reached by two functions. */
#include <pthread.h>

static pthread_once_t first = PTHREAD_ONCE_INIT;
static int limit;
static int misses;

static void
init(void)
{
	limit = 10; // NORACE
}

static void *
reader(void *arg)
{
	pthread_once(&first, init);
	misses++; // RACE
	return limit ? arg : NULL; // NORACE
}

static void *
other(void *arg)
{
	pthread_once(&first, init);
	misses++; // RACE
	return limit ? arg : NULL; // NORACE
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, other, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
