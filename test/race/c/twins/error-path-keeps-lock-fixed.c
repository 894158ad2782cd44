/* The error path leaves by the one unlock at the end. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int g, errors;

static void *
work(void *arg)
{
	pthread_mutex_lock(&m);
	g++; // NORACE
	if (g > 10) {
		errors++; // NORACE
		goto out;
	}
	g++; // NORACE
out:
	pthread_mutex_unlock(&m);
	return arg;
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
