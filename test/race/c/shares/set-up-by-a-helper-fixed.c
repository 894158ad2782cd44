/* Each worker's element is filled in by functions that the loop calls before the fork, or by the one that forks. */
#include <pthread.h>
#include <stdlib.h>

typedef struct Worker {
	pthread_t thread;
	int number;
	long *sum;
} Worker;

static long total;

static void
clear(Worker *w)
{
	w->sum = NULL; // NORACE
	w->number = 0; // NORACE
}

static void
prepare(Worker *w, int number)
{
	clear(w);
	w->number = number; // NORACE
	w->sum = &total;    // NORACE
}

static void *
by_pointer(void *arg)
{
	Worker *w = arg;

	return w->number > 3 ? w->sum : NULL; // NORACE
}

static void *
by_index(void *arg)
{
	Worker *w = arg;

	w->number++;   // NORACE
	return w->sum; // NORACE
}

static void *
by_wrapper(void *arg)
{
	Worker *w = arg;

	w->number++;   // NORACE
	return w->sum; // NORACE
}

static int
launch(Worker *w, int number)
{
	clear(w);
	w->number = number; // NORACE
	w->sum = &total;    // NORACE
	return pthread_create(&w->thread, NULL, by_wrapper, w);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	Worker *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
	Worker c[4];

	for (Worker *w = a; w != a + n; w++) {
		prepare(w, (int)(w - a));
		pthread_create(&w->thread, NULL, by_pointer, w);
	}
	for (int i = 0; i < n; i++) {
		prepare(&b[i], i);
		pthread_create(&b[i].thread, NULL, by_index, &b[i]);
	}
	for (int i = 0; i < 4; i++)
		launch(&c[i], i);
	for (int i = 0; i < 4; i++)
		pthread_join(c[i].thread, NULL);
	return 0;
}
