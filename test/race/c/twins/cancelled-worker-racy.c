/* A worker is cancelled, and its result is used before it was joined. */
#include <pthread.h>

static int result;

static void *
work(void *arg)
{
	for (;;) {
		result++; // RACE
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
	v = result; // RACE
	pthread_join(a, NULL);
	return v;
}
