/* The pool forgets one of its threads before it ends. */
#include <pthread.h>
#include <stdlib.h>

struct pool {
	pthread_mutex_t lock;
	int todo, n;
	pthread_t *threads;
};

static void *
work(void *arg)
{
	struct pool *p = arg;

	for (;;) {
		pthread_mutex_lock(&p->lock);
		if (p->todo == 0)
			break;
		p->todo--; // RACE
		pthread_mutex_unlock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

static struct pool *
make(int n)
{
	struct pool *p = calloc(1, sizeof *p);

	pthread_mutex_init(&p->lock, NULL);
	p->todo = 100;
	p->n = n;
	p->threads = malloc(n * sizeof *p->threads);
	for (int i = 0; i < n; i++)
		pthread_create(&p->threads[i], NULL, work, p);
	return p;
}

static void
end(struct pool *p)
{
	for (int i = 0; i < p->n; i++)
		pthread_join(p->threads[i], NULL);
	free(p->threads);
	free(p);
}

int
main(int argc, char **argv)
{
	struct pool *p = make(argc > 1 ? atoi(argv[1]) : 4);

	p->n--;
	end(p);
	return 0;
}
