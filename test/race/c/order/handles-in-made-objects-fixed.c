/* Workers are described by records that a checked allocator makes; each record keeps the
 * handle, and all are joined through the list of records. */
#include <pthread.h>
#include <stdlib.h>

typedef struct Worker {
	int share;
	pthread_t self;
} Worker;

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *
must_alloc(size_t n)
{
	void *p = malloc(n);

	if (!p)
		abort();
	return p;
}

static Worker *
worker_new(int share)
{
	Worker *w = must_alloc(sizeof *w);

	w->share = share;
	return w;
}

static void *
work(void *arg)
{
	Worker *w = arg;

	pthread_mutex_lock(&lock);
	total += w->share; // NORACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	Worker **all = must_alloc((size_t)n * sizeof *all);

	for (int i = 0; i < n; i++) {
		Worker *w = worker_new(i);
		all[i] = w;
		pthread_create(&w->self, NULL, work, w);
	}
	for (int i = 0; i < n; i++) {
		pthread_join(all[i]->self, NULL);
		free(all[i]);
	}
	free(all);
	return total; // NORACE
}
