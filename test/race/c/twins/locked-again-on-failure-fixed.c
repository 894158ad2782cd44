/* A helper locks the lock that its caller holds on its failure path: a thread that comes there stops. */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int hits, failures;

static char *
grow(unsigned n)
{
	char *p = malloc(n);

	if (!p) {
		pthread_mutex_lock(&m);
		failures++; // NORACE
		pthread_mutex_unlock(&m);
	}
	return p;
}

static void *
report(void *arg)
{
	char *p;

	pthread_mutex_lock(&m);
	p = grow(100);
	hits++; // NORACE
	pthread_mutex_unlock(&m);
	free(p);
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, report, NULL);
	pthread_create(&b, NULL, report, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
