/* Not all that may take the lock, a local variable of run(), are waited for before the next call of run() has another. */
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

static void
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
	for (int i = 1; i < n; i++)
		pthread_join(t[i], NULL);
	free(j.workers);
	free(t);
}

int
main(int argc, char **argv)
{
	(void)argv;
	for (int k = 0; k < argc; k++)
		run(argc);
	return 0;
}
