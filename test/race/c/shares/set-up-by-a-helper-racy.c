/* What a helper fills in is not the next worker's own: it runs behind the fork, touches the element
 * of the round before, or always the first one. */
#include <pthread.h>
#include <stdlib.h>

typedef struct Worker {
	pthread_t thread;
	int number;
	long *sum;
} Worker;

static long total;

static void
late(Worker *w)
{
	w->sum = &total; // RACE
}

static void
link_to(Worker *w)
{
	w->number = 1; // RACE
}

static void
touch_first(Worker *w)
{
	w->sum = &total; // RACE
}

static void *
by_pointer(void *arg)
{
	Worker *w = arg;

	return w->sum; // RACE
}

static void *
by_index(void *arg)
{
	Worker *w = arg;

	w->number++; // RACE
	return NULL;
}

static void *
by_first(void *arg)
{
	Worker *w = arg;

	return w->sum; // RACE
}

static void *
by_wrapper(void *arg)
{
	Worker *w = arg;

	return w->sum; // RACE
}

static void
launch(Worker *w)
{
	w->number = 0; // NORACE
	pthread_create(&w->thread, NULL, by_wrapper, w);
	w->sum = &total; // RACE
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	Worker *a = calloc((size_t)n, sizeof *a), *b = calloc((size_t)n, sizeof *b);
	Worker *c = calloc((size_t)n, sizeof *c), *d = calloc((size_t)n, sizeof *d);

	for (Worker *w = a; w != a + n; w++) {
		pthread_create(&w->thread, NULL, by_pointer, w);
		late(w);
	}
	for (int i = 0; i < n; i++) {
		if (i)
			link_to(&b[i - 1]);
		pthread_create(&b[i].thread, NULL, by_index, &b[i]);
	}
	for (int i = 0; i < n; i++) {
		touch_first(&c[0]);
		pthread_create(&c[i].thread, NULL, by_first, &c[i]);
	}
	for (int i = 0; i < n; i++)
		launch(&d[i]);
	for (int i = 0; i < n; i++)
		pthread_join(d[i].thread, NULL);
	return 0;
}
