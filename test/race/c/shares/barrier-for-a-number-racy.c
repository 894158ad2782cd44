/* A barrier for fewer threads than are made, which is known at run time only. */
#include <pthread.h>
#include <stdlib.h>

static double *x, *y;
static int threads;
static pthread_barrier_t barrier;

static void *
worker(void *arg)
{
	long id = (long)arg;

	x[id] = id; // RACE
	pthread_barrier_wait(&barrier);
	y[id] = x[(id + 1) % threads]; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t[64];

	threads = argc > 1 ? atoi(argv[1]) : 4;
	x = calloc(threads, sizeof *x);
	y = calloc(threads, sizeof *y);
	pthread_barrier_init(&barrier, NULL, threads - 1);
	for (long i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return (int)y[0];
}
