/* A worker is cancelled and joined before its result is used. */
#include <pthread.h>

static int result;

static void *
work(void *arg)
{
	for (;;) {
		result++; // NORACE
		pthread_testcancel();
	}
	return arg;
}

int
main(void)
{
	pthread_t a;
	int v;

	pthread_create(&a, NULL, work, NULL);
	pthread_cancel(a);
	pthread_join(a, NULL);
	v = result; // NORACE
	return v;
}
