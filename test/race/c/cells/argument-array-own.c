/* Element i of the arguments is thread i's, and so is what its number selects. */
#include <pthread.h>

#define N 4

static struct job {
	int id;
	long sum;
} jobs[N];

static int out[N];

static void *
worker(void *arg)
{
	struct job *j = arg;

	j->sum += 2; // NORACE
	out[j->id] = 3; // NORACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++) {
		jobs[i].id = i; // NORACE
		pthread_create(&h[i], NULL, worker, &jobs[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return out[0];
}
