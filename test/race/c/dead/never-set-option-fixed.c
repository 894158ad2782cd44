/* An option that nothing sets: what it would switch on never runs. */
#include <pthread.h>

static int tracing;
static int seen;

static void *
work(void *arg)
{
	if (tracing)
		seen++; // NORACE
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
