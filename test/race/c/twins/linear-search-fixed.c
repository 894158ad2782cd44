/* A linear search adds to the table while nobody else looks at it. */
#include <pthread.h>
#include <search.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[16];
static size_t used;

static int
same(const void *x, const void *y)
{
	return *(const int *)x != *(const int *)y; // NORACE
}

static void *
work(void *arg)
{
	int key = 7;

	pthread_mutex_lock(&lock);
	lsearch(&key, table, &used, sizeof key, same); // NORACE
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t;
	int n;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&lock);
	n = (int)used; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return n;
}
