/* Each thread is told its number, how many there are, and the array. */
#include <pthread.h>
#include <stdlib.h>

struct part {
	int id, n, size;
	double *x;
};

static void *
worker(void *arg)
{
	struct part *p = arg;
	int chunk = p->size / p->n;

	for (int i = p->id * chunk; i < (p->id + 1) * chunk; i++)
		p->x[i] = 1; // NORACE
	return NULL;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4, size = 100 * n;
	double *x = calloc(size, sizeof *x);
	struct part *parts = calloc(n, sizeof *parts);
	pthread_t *t = malloc(n * sizeof *t);

	for (int i = 0; i < n; i++) {
		parts[i] = (struct part){.id = i, .n = n, .size = size, .x = x};
		pthread_create(&t[i], NULL, worker, &parts[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return (int)x[0];
}
