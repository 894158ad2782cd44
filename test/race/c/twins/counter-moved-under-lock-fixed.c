/* A position that is taken and moved on in one critical section. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next;

static void *
work(void *arg)
{
	int mine;

	pthread_mutex_lock(&m);
	mine = next;
	next = mine + 1; // NORACE
	pthread_mutex_unlock(&m);
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
