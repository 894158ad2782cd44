/* One initialiser behind two once-controls: it may run twice at once. */
#include <pthread.h>

static pthread_once_t first = PTHREAD_ONCE_INIT;
static pthread_once_t second = PTHREAD_ONCE_INIT;
static int limit;
static int misses;

static void
init(void)
{
	limit = 10; // RACE
}

static void *
reader(void *arg)
{
	pthread_once(&first, init);
	misses++; // RACE
	return limit ? arg : NULL; // RACE
}

static void *
other(void *arg)
{
	pthread_once(&second, init);
	misses++; // RACE
	return limit ? arg : NULL; // RACE
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
