/* Whoever counts down to one of the last two goes on, and so do two of them. */
#include <pthread.h>

enum { WORKERS = 50 };

static int left = WORKERS, total, part[WORKERS];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
work(void *arg)
{
	int now;

	part[(long)arg] = 1; // RACE possible
	pthread_mutex_lock(&m);
	now = --left;
	pthread_mutex_unlock(&m);
	if (now <= 1)
		for (int i = 0; i < WORKERS; i++)
			total += part[i]; // RACE possible
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
