/* As list-joined-by-wrapper-fixed.c, but devices of one kind are not waited for. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct device {
	struct device *next;
	pthread_t thread;
	int blocks;
};

static FILE *logged;
static int verbose;

static void
start(pthread_t *thread, void *(*run)(void *), void *arg)
{
	if (pthread_create(thread, NULL, run, arg) != 0)
		abort();
}

static void
finish(pthread_t thread, void **result)
{
	if (pthread_join(thread, result) != 0)
		abort();
}

static void *
query(void *arg)
{
	struct device *d = arg;

	if (verbose) // RACE
		fprintf(logged, "%d\n", d->blocks);
	return NULL;
}

static void *
spin_up(void *arg)
{
	struct device *d = arg;

	if (verbose > 1)
		fprintf(logged, "up %d\n", d->blocks);
	return NULL;
}

static int
run_all(struct device *list, void *(*run)(void *))
{
	int failed = 0;

	for (struct device *d = list; d; d = d->next)
		start(&d->thread, run, d);
	for (struct device *d = list; d; d = d->next) {
		void *result;
		if (!d->blocks)
			return -1;
		finish(d->thread, &result);
		if (result)
			failed++;
	}
	return failed ? -1 : 0;
}

static int
run_devices(struct device *list, int up)
{
	return run_all(list, up ? spin_up : query);
}

int
main(int argc, char **argv)
{
	struct device *list = NULL;

	verbose = argc > 2;
	logged = stderr;
	for (int i = 0; i < argc; i++) {
		struct device *d = calloc(1, sizeof *d);
		if (!d)
			return 1;
		d->blocks = i;
		d->next = list;
		list = d;
	}
	if (argc > 1)
		run_devices(list, argv[1][0] == 'u');
	verbose = 0; // RACE
	return 0;
}
