/* A pool notes how many threads it has where the loop that starts them ends, or where one could not be started. */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	pthread_mutex_t lock;
	pthread_t *threads;
	size_t n;
	int jobs;
};

static void *
work(void *arg)
{
	struct pool *p = arg;

	pthread_mutex_lock(&p->lock);
	p->jobs++; // NORACE
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static void
stop(struct pool *p)
{
	for (size_t i = 0; i < p->n; i++)
		pthread_join(p->threads[i], NULL);
	p->jobs = 0; // NORACE
	free(p->threads);
	free(p); // NORACE
}

static struct pool *
start(size_t n)
{
	struct pool *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	pthread_mutex_init(&p->lock, NULL);
	p->threads = calloc(n, sizeof *p->threads);
	p->n = 0;
	if (!p->threads) {
		stop(p);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		if (pthread_create(&p->threads[i], NULL, work, p)) {
			p->n = i;
			stop(p);
			return NULL;
		}
	p->n = n;
	return p;
}

int
main(int argc, char **argv)
{
	struct pool *p = start(4);

	(void)argc, (void)argv;
	if (p)
		stop(p);
	return 0;
}
