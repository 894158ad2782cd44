/* The results are taken from the last worker on, the workers are joined from the first on. */
#include <pthread.h>

#define N 4

struct worker {
	pthread_t thread;
	int id;
	long result;
};

static struct worker workers[N];

static void *
work(void *arg)
{
	struct worker *w = arg;

	w->result = 2L * w->id; // RACE
	return NULL;
}

int
main(void)
{
	long sum = 0;

	for (int i = 0; i < N; i++) {
		workers[i].id = i; // NORACE
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (int i = 0; i < N; i++) {
		pthread_join(workers[i].thread, NULL);
		sum += workers[N - 1 - i].result; // RACE
	}
	return (int)sum;
}
