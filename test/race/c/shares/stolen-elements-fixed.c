/* Each worker takes elements by a counter of its own, which begins with its place and goes on by as many as
 * there are workers; who has none left draws from the slowest one's. */
#include <pthread.h>
#include <stdlib.h>

extern int input(void);

struct record {
	int count;
};

struct job;

struct worker {
	struct job *job;
	long next;
};

struct job {
	int n;
	long size;
	struct worker *workers;
	int *sums;
	struct record **records;
};

static long
steal(struct job *j)
{
	int slowest = 0;
	long k;

	for (int i = 1; i < j->n; i++)
		if (j->workers[i].next < j->workers[slowest].next)
			slowest = i;
	k = __sync_fetch_and_add(&j->workers[slowest].next, j->n);
	return k >= j->size ? -1 : k;
}

static void
work(struct job *j, long i)
{
	j->sums[i]++; // NORACE-LIKELY
	j->records[i]->count++; // NORACE-LIKELY
}

static void *
run(void *arg)
{
	struct worker *w = arg;
	long i;

	for (;;) {
		i = __sync_fetch_and_add(&w->next, w->job->n);
		if (i >= w->job->size)
			break;
		work(w->job, i);
	}
	while ((i = steal(w->job)) >= 0)
		work(w->job, i);
	return NULL;
}

static void
run_all(int n, int *sums, struct record **records, long size)
{
	struct job j = {n, size, NULL, sums, records};
	pthread_t *t = calloc((size_t)n, sizeof *t);

	j.workers = calloc((size_t)n, sizeof *j.workers);
	for (int i = 0; i < n; i++) {
		j.workers[i].job = &j;
		j.workers[i].next = i;
	}
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, &j.workers[i]);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
	free(j.workers);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4, size;

	while ((size = input()) > 0) {
		int *sums = calloc((size_t)size, sizeof *sums);
		struct record **records = calloc((size_t)size, sizeof *records);

		for (int k = 0; k < size; k++) {
			sums[k] = input();
			records[k] = calloc(1, sizeof *records[k]);
		}
		run_all(n, sums, records, size);
		for (int k = 0; k < size; k++)
			free(records[k]);
		free(records);
		free(sums);
	}
	return 0;
}
