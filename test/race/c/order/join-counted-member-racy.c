/* A pool counts in a member the threads that it could start, and joins all but the first. */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	pthread_t *threads;
	int n;
	int *buf;
	pthread_mutex_t mu;
};

static void *
work(void *arg)
{
	struct pool *p = arg;

	pthread_mutex_lock(&p->mu);
	p->buf[0]++;
	pthread_mutex_unlock(&p->mu);
	return NULL;
}

static void
destroy(struct pool *p)
{
	for (int i = 1; i < p->n; i++)
		pthread_join(p->threads[i], NULL);
	free(p->buf); // RACE
	free(p->threads);
	free(p);
}

static struct pool *
make(int n)
{
	struct pool *p = malloc(sizeof *p);

	p->n = 0;
	p->threads = malloc(n * sizeof *p->threads);
	p->buf = calloc(4, sizeof *p->buf);
	pthread_mutex_init(&p->mu, NULL);
	for (int i = 0; i < n; i++) {
		if (pthread_create(&p->threads[i], NULL, work, p))
			return p;
		p->n++;
	}
	return p;
}

int
main(void)
{
	destroy(make(4));
	return 0;
}
