/* Who has passed pthread_once holds no lock that the other side could take. */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table, hits;

static void
fill(void)
{
	table = 7;
}

static void *
reader(void *arg)
{
	pthread_once(&once, fill);
	hits += table;
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, reader, NULL);
	hits++;
	pthread_join(t, NULL);
	return 0;
}
