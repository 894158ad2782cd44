/* Workers are allocated one by one and kept in an array; the first two change places in it
 * halfway through, so that one of them is freed while its thread may run. */
#include <pthread.h>
#include <stdlib.h>

struct worker {
	pthread_t thread;
	int id;
	long result;
};

static void *
work(void *arg)
{
	struct worker *w = arg;

	w->result = w->id; // RACE
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	struct worker **workers = calloc((size_t)n, sizeof *workers);
	long sum = 0;

	if (!workers)
		return 1;
	for (int i = 0; i < n; i++) {
		workers[i] = malloc(sizeof *workers[i]);
		if (!workers[i])
			exit(1);
		workers[i]->id = i;
		pthread_create(&workers[i]->thread, NULL, work, workers[i]);
	}
	for (int i = 0; i < n; i++) {
		struct worker *first = workers[0];
		pthread_join(workers[i]->thread, NULL);
		workers[0] = workers[1];
		workers[1] = first;
		sum += workers[i]->result; // RACE
		free(workers[i]);          // RACE
	}
	return (int)sum;
}
