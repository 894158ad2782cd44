/* The creator adds up where the parts begin. */
#include <pthread.h>
#include <stdlib.h>

struct part {
	int from, to;
};
static double x[1000];

static void *
worker(void *arg)
{
	struct part *p = arg;

	for (int i = p->from; i < p->to; i++)
		x[i] = 1; // NORACE
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4;
	int chunk = 1000 / n, from = 0;
	struct part *parts = calloc(n, sizeof *parts);
	pthread_t *t = malloc(n * sizeof *t);

	for (int i = 0; i < n; i++) {
		parts[i].from = from;
		parts[i].to = i == n - 1 ? 1000 : from + chunk;
		from += chunk;
		pthread_create(&t[i], NULL, worker, &parts[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return (int)x[0];
}
