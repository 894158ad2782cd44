/* A thread leaves the address of its number where others read it. */
#include <pthread.h>

enum { WORKERS = 4 };

static long done[WORKERS];
static int number[WORKERS];
static _Thread_local int me;
static int *volatile where;
static int here;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
meet(void)
{
	pthread_mutex_lock(&lock);
	if (where)
		here = *where;
	where = &me;
	pthread_mutex_unlock(&lock);
}

static void *
worker(void *arg)
{
	me = *(int *)arg;
	meet();
	done[me]++; // NORACE
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	for (int i = 0; i < WORKERS; i++) {
		number[i] = i;
		if (pthread_create(&t[i], 0, worker, &number[i]))
			return 1;
	}
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return 0;
}
