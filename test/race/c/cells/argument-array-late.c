/* The creator numbers the argument only after the thread may have read it. */
#include <pthread.h>

#define N 4

static struct job {
	int id;
} jobs[N];

static int out[N];

static void *
worker(void *arg)
{
	struct job *j = arg;

	out[j->id] = 3; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];

	for (int i = 0; i < N; i++) {
		pthread_create(&h[i], NULL, worker, &jobs[i]);
		jobs[i].id = i; // RACE
	}
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return out[0];
}
