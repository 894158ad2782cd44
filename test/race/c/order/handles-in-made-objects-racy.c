/* Workers are described by records that a checked allocator makes, but every
 * second worker is given the record of the one before: its handle is overwritten, and one
 * of the two is never joined. */
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
worker_for(int share)
{
	static Worker *last;
	Worker *w = share % 2 ? last : must_alloc(sizeof *w);

	w->share = share;
	last = w;
	return w;
}

static void *
work(void *arg)
{
	Worker *w = arg;

	pthread_mutex_lock(&lock);
	total += w->share; // RACE
	pthread_mutex_unlock(&lock);
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	Worker **all = must_alloc((size_t)n * sizeof *all);

	for (int i = 0; i < n; i++) {
		Worker *w = worker_for(i);
		all[i] = w;
		pthread_create(&w->self, NULL, work, w);
	}
	for (int i = 0; i < n; i++) {
		pthread_join(all[i]->self, NULL);
	}
	free(all);
	return total; // RACE
}
