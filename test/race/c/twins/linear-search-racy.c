/* A linear search that adds what it does not find changes the number of elements. */
#include <pthread.h>
#include <search.h>

static int table[16];
static size_t used;

static int
same(const void *x, const void *y)
{
	return *(const int *)x != *(const int *)y;
}

static void *
work(void *arg)
{
	int key = 7;

	return lsearch(&key, table, &used, sizeof key, same) ? arg : NULL; // RACE
}

int
main(void)
{
	pthread_t t;
	int n;

	pthread_create(&t, NULL, work, NULL);
	n = (int)used; // RACE
	pthread_join(t, NULL);
	return n;
}
