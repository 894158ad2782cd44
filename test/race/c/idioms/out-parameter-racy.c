/* A getter locks and copies to its caller's variable, which happens to be shared. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int source;
static int seen;

static void
get(int *to)
{
	int n;

	pthread_mutex_lock(&lock);
	n = source; // NORACE
	pthread_mutex_unlock(&lock);
	*to = n; // RACE
}

static void *
reader(void *arg)
{
	get(&seen);
	return seen ? arg : NULL; // RACE
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
