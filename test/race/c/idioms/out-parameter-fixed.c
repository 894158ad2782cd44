/* A getter locks and copies to its caller's own variable. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int source;

static void
get(int *to)
{
	int n;

	pthread_mutex_lock(&lock);
	n = source; // NORACE
	pthread_mutex_unlock(&lock);
	*to = n; // NORACE
}

static void *
reader(void *arg)
{
	int seen;

	get(&seen);
	return seen ? arg : NULL; // NORACE
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, reader, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_mutex_lock(&lock);
	source = 5; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
