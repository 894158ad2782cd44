/* A lock is tried three times, and then done without. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *
work(void *arg)
{
	for (int k = 0; k < 3; k++)
		if (pthread_mutex_trylock(&m) == 0)
			break;
	total++; // RACE
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
