/* Batch after batch, each worker does the rows whose number, divided by that of the workers, leaves its own;
 * what a row leads to was made for it, and is freed and made anew by whoever has the row. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

extern int input(void);

struct options {
	int workers;
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
	for (int i = 0; i < n; i++) {
		struct row *r = &rows[i];
		if (i % options->workers != id)
			continue;
		r->length = (int)strlen(r->name); // NORACE-LIKELY
		r->name[0]++; // NORACE-LIKELY
		free(r->name); // NORACE-LIKELY
		r->name = NULL; // NORACE-LIKELY
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
	struct options options = {argc > 1 ? atoi(argv[1]) : 4};
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
