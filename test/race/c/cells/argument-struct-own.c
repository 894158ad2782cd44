/* Each thread gets an argument of its own, with a number of its own in it. */
#include <pthread.h>
#include <stdlib.h>

#define N 4

struct job {
	int id;
	int sum;
};

static int out[N];

static void
work(struct job *j)
{
	j->sum += j->id; // NORACE
	out[j->id] = j->sum; // NORACE
}

static void *
worker(void *arg)
{
	work(arg);
	free(arg); // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++) {
		struct job *j = malloc(sizeof *j);
		j->id = i;
		j->sum = 0;
		pthread_create(&h[i], NULL, worker, j);
	}
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return out[0];
}
