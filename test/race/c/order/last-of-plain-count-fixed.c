/* Whoever counts down to nothing, under a lock, is the last, and does alone what is left to do. */
#include <pthread.h>

enum { WORKERS = 50 };

static int left = WORKERS, total, part[WORKERS];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
work(void *arg)
{
	int now;

	part[(long)arg] = 1; // NORACE-LIKELY
	pthread_mutex_lock(&m);
	now = --left;
	pthread_mutex_unlock(&m);
	if (now == 0)
		for (int i = 0; i < WORKERS; i++)
			total += part[i]; // NORACE-LIKELY
	return NULL;
}

int
main(void)
{
	pthread_t t;

	for (long i = 0; i < WORKERS; i++)
		pthread_create(&t, NULL, work, (void *)i);
	pthread_exit(NULL);
}
