/* Workers are allocated one by one and kept in an array; each is taken back, read and freed
 * when its thread has been joined. */
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

	w->result = w->id; // NORACE
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
		workers[i]->id = i; // NORACE
		pthread_create(&workers[i]->thread, NULL, work, workers[i]);
	}
	for (int i = 0; i < n; i++) {
		pthread_join(workers[i]->thread, NULL);
		sum += workers[i]->result; // NORACE
		free(workers[i]);          // NORACE
	}
	return (int)sum;
}
