/* One argument serves all threads; its number changes under them. */
#include <pthread.h>

#define N 4

struct job {
	int id;
};

static int out[N];

static void *
worker(void *arg)
{
	struct job *j = arg;

	out[j->id] = 1; // RACE
	return NULL;
}

int
main(void)
{
	pthread_t h[N];
	struct job j;

	for (int i = 0; i < N; i++) {
		j.id = i; // RACE
		pthread_create(&h[i], NULL, worker, &j);
	}
	for (int i = 0; i < N; i++)
		pthread_join(h[i], NULL);
	return out[0];
}
