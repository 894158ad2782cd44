/* Like object-made-by-function-handed-over-fixed.c, but the objects lead to one and the same. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct info {
	char *host;
	int n;
};

static char name[8] = "name";

static struct info *
make(const char *host, int n)
{
	struct info *i = malloc(sizeof *i);

	if (!i)
		return NULL;
	i->n = n;
	i->host = host ? name : NULL;
	return i;
}

static void *
serve(void *arg)
{
	struct info *i = arg;

	i->n++;                     // NORACE
	if (i->host && *i->host)    // RACE
		*i->host = '-';     // RACE
	free(i);       // NORACE
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
	return 0;
}
