/* Batch after batch, each worker does the row of its number, and on by another number than that of the workers. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern int input(void);

struct options {
	int workers, step;
};

struct row {
	char *name;
	int length;
};

struct share {
	int id, n;
	struct row *rows;
	const struct options *options;
};

static void
work(int id, int n, struct row *rows, const struct options *options)
{
	for (int i = id; i < n; i += options->step) {
		struct row *r = &rows[i];
		r->length = (int)strlen(r->name); // RACE
		r->name[0]++; // RACE
		free(r->name); // RACE
		r->name = NULL; // RACE
	}
}

static void *
start(void *arg)
{
	struct share *s = arg;

	work(s->id, s->n, s->rows, s->options);
	return NULL;
}

int
main(int argc, char **argv)
{
	struct options options = {argc > 1 ? atoi(argv[1]) : 4, argc > 2 ? atoi(argv[2]) : 2};
	int n;

	while ((n = input()) > 0) {
		struct row *rows = calloc((size_t)n, sizeof *rows);
		pthread_t *t = calloc((size_t)options.workers, sizeof *t);
		struct share *s = calloc((size_t)options.workers, sizeof *s);

		for (int k = 0; k < n; k++)
			rows[k].name = strdup(argv[0]);
		for (int i = 0; i < options.workers; i++) {
			s[i].id = i;
			s[i].n = n;
			s[i].rows = rows;
			s[i].options = &options;
			pthread_create(&t[i], NULL, start, &s[i]);
		}
		for (int i = 0; i < options.workers; i++)
			pthread_join(t[i], NULL);
		free(s);
		free(t);
		free(rows);
	}
	return 0;
}
