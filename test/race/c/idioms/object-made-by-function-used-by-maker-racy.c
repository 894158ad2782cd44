/* Like object-made-by-function-handed-over-fixed.c, but who made the last object goes on with it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct info {
	char *host;
	int n;
};

static struct info *last;

static struct info *
make(const char *host, int n)
{
	struct info *i = malloc(sizeof *i);

	if (!i)
		return NULL;
	i->n = n;
	i->host = host ? strdup(host) : NULL;
	last = i;
	return i;
}

static void *
serve(void *arg)
{
	struct info *i = arg;

	i->n++;                     // RACE
	if (i->host && *i->host)
		*i->host = '-';
	return NULL;
}

static int
start(struct info *i)
{
	pthread_t t;

	return pthread_create(&t, NULL, serve, i);
}

static void
accept_one(int n)
{
	struct info *i = make(NULL, n);

	if (i)
		start(i);
}

static void
accept_named(const char *host, int n)
{
	struct info *i = make(host, n);

	if (i)
		start(i);
}

int
main(int argc, char **argv)
{
	for (int k = 0; k < argc; k++) {
		accept_one(k);
		accept_named(argv[k], k);
	}
	last->n = 0; // RACE
	return 0;
}
