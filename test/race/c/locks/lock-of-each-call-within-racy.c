/* run() calls itself while its workers run: there are two locks at once. */
#include <pthread.h>
#include <stdlib.h>

struct job {
	pthread_mutex_t m;
	struct worker *workers;
	int n;
};

struct worker {
	struct job *job;
	int step;
};

static int total;

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct job *j = w->job;

	pthread_mutex_lock(&j->m);
	for (int i = 0; i < j->n; i++)
		w->step += j->workers[i].step;
	total++; // RACE
	pthread_mutex_unlock(&j->m);
	return NULL;
}

void run(int n);

void
run(int n)
{
	struct job j = {.n = n};
	pthread_t *t = calloc((size_t)n, sizeof *t);

	pthread_mutex_init(&j.m, NULL);
	j.workers = calloc((size_t)n, sizeof *j.workers);
	for (int i = 0; i < n; i++)
		j.workers[i].job = &j;
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, work, &j.workers[i]);
	if (n > 2)
		run(n - 1);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(j.workers);
	free(t);
}

int
main(int argc, char **argv)
{
	(void)argv;
	run(argc + 2);
	return total;
}
