/* A function that each thread calls first draws its number, but not if it returns early. */
#include <pthread.h>
#include <stdlib.h>

enum { WORKERS = 4 };

static long done[64];
static int next = 1, ready;
static _Thread_local int me;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
begin(void)
{
	if (!ready)
		return;
	pthread_mutex_lock(&lock);
	me = next++;
	pthread_mutex_unlock(&lock);
}

static void *
worker(void *arg)
{
	begin();
	done[me]++; // RACE
	return arg;
}

int
main(void)
{
	pthread_t t[WORKERS];

	ready = rand() % 2;
	for (int i = 0; i < WORKERS; i++)
		if (pthread_create(&t[i], 0, worker, 0))
			return 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_join(t[i], 0);
	return 0;
}
