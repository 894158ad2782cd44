/* A position that is taken under a lock, and moved on after it. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next;

static void *
work(void *arg)
{
	int mine;

	pthread_mutex_lock(&m);
	mine = next;
	pthread_mutex_unlock(&m);
	next = mine + 1; // RACE
	return mine ? arg : NULL;
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
