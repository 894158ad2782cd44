/* A pool has another size each time that it is started. */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	int n;
	pthread_t *threads;
	int *out;
};

struct job {
	struct pool *pool;
	int id;
};

static void *
worker(void *arg)
{
	struct job *j = arg;

	j->pool->out[j->id] = 1; // NORACE
	free(j);
	return NULL;
}

static void
start(struct pool *p)
{
	for (int i = 0; i < p->n; i++) {
		struct job *j = malloc(sizeof *j);
		j->pool = p;
		j->id = i;
		pthread_create(&p->threads[i], NULL, worker, j);
	}
}

static void
stop(struct pool *p)
{
	for (int i = 0; i < p->n; i++)
		pthread_join(p->threads[i], NULL);
}

int
main(int argc, char **argv)
{
	struct pool p;
	int sum = 0;

	p.threads = calloc(argc, sizeof *p.threads);
	p.out = calloc(argc, sizeof *p.out);
	p.n = 1;
	for (int k = 1; k <= argc; k++) {
		p.n = k;
		start(&p);
		stop(&p);
		for (int i = 0; i < argc; i++)
			sum += p.out[i]; // NORACE
	}
	return sum;
}
