/* All but one add up: the test is the wrong way round. */
#include <pthread.h>

enum { THREADS = 4 };

static pthread_barrier_t barrier;
static double part[THREADS], total;

static void *
worker(void *arg)
{
	long id = (long)arg;

	for (int round = 0; round < 5; round++) {
		part[id] = round * id;
		if (pthread_barrier_wait(&barrier) != PTHREAD_BARRIER_SERIAL_THREAD) {
			total = 0; // RACE
			for (int i = 0; i < THREADS; i++)
				total += part[i];
		}
		pthread_barrier_wait(&barrier);
		if (total > 100)
			break;
	}
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
	return (int)total;
}
