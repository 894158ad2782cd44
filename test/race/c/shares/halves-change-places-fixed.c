/* Two halves change places at a barrier: one is read while the other is written. */
#include <pthread.h>
#include <stdlib.h>

static double *old, *new;
static int size, threads;
static pthread_barrier_t barrier;

static void *
worker(void *arg)
{
	long id = (long)arg;
	int chunk = size / threads;
	double *from = old, *to = new;

	for (int k = 0; k < 10; k++) {
		double *half = from;
		for (int i = id * chunk; i < (id + 1) * chunk; i++)
			to[i] = from[(i + 1) % size]; // NORACE-LIKELY
		pthread_barrier_wait(&barrier);
		from = to;
		to = half;
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[64];

	threads = argc > 1 ? atoi(argv[1]) : 4;
	size = argc > 2 ? atoi(argv[2]) : 100;
	old = calloc(size, sizeof *old);
	new = calloc(size, sizeof *new);
	pthread_barrier_init(&barrier, NULL, threads);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return (int)old[0];
}
