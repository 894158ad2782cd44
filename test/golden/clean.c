/* Nothing to report, and an unknown function to assume things of. */
#include <pthread.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void notify(int n);

static void *
worker(void *arg)
{
	pthread_mutex_lock(&lock);
	total++;
	pthread_mutex_unlock(&lock);
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	notify(3);
	return total;
}
