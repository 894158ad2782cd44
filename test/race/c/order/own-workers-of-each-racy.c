/* Each server starts workers on its connection, as many as it can, waits for those that it has
 * started, but for the first, and ends the connection. */
#include <pthread.h>
#include <stdlib.h>

struct connection {
	int nworkers, magic;
};

static void *
work(void *arg)
{
	struct connection *c = arg;

	return (void *)(long)c->magic; // RACE
}

static void
handle(int n)
{
	struct connection *c = malloc(sizeof *c);
	pthread_t *workers;

	if (!c)
		return;
	c->nworkers = n;
	c->magic = 1;
	if (n) {
		workers = calloc(n, sizeof *workers);
		if (!workers)
			goto done;
		for (n = 0; n < c->nworkers; n++)
			if (pthread_create(&workers[n], NULL, work, c))
				break;
		while (n > 1)
			pthread_join(workers[--n], NULL);
		free(workers);
	}
done:
	c->magic = 0; // RACE
	free(c);
}

static void *
serve(void *arg)
{
	handle(*(int *)arg);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t t;

	(void)argv;
	for (int i = 0; i < 8; i++)
		if (!pthread_create(&t, NULL, serve, &argc))
			pthread_detach(t);
	pthread_exit(NULL);
}
