/* A pool keeps how many workers it has and where; both are read anew in each round, and nobody
 * changes them. */
#include <pthread.h>
#include <stdlib.h>

struct worker {
	pthread_t thread;
	int id;
	long done;
};

struct pool {
	int n;
	struct worker *workers;
};

static void *
work(void *arg)
{
	struct worker *w = arg;

	w->done = w->id; // NORACE
	return NULL;
}

int
main(int argc, char **argv)
{
	struct pool *p = malloc(sizeof *p);
	long sum = 0;

	if (!p || argc < 2)
		return 1;
	p->n = atoi(argv[1]);
	p->workers = calloc((size_t)p->n, sizeof *p->workers);
	if (!p->workers)
		return 1;
	for (int i = 0; i < p->n; i++) {
		struct worker *w = &p->workers[i];
		w->id = i; // NORACE
		if (pthread_create(&w->thread, NULL, work, w))
			exit(1);
	}
	for (int i = 0; i < p->n; i++)
		pthread_join(p->workers[i].thread, NULL);
	for (int i = 0; i < p->n; i++)
		sum += p->workers[i].done; // NORACE
	return (int)sum;
}
