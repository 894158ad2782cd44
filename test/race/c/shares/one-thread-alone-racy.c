/* What only the thread of one number does, no two do. But the threads of two numbers do it. */
#include <pthread.h>

#define THREADS 4

static int part[THREADS], all;
static pthread_barrier_t barrier;

static void
add_up(void)
{
	all = 0; // RACE
	for (int i = 0; i < THREADS; i++)
		all += part[i]; // RACE
}

static void *
worker(void *arg)
{
	long id = (long)arg;

	part[id] = id;
	pthread_barrier_wait(&barrier);
	if (id <= 1)
		add_up();
	pthread_barrier_wait(&barrier);
	part[id] = all;
	return NULL;
}

int
main(void)
{
	pthread_t t[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return all;
}
