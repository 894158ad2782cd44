/* The object is published by another name, after its last plain write. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *f;
	int x;
};

static struct node *G;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
writer(void *arg)
{
	struct node *n = malloc(sizeof *n), *o = malloc(sizeof *o), *q;

	o->f = n; // NORACE
	q = o->f; // NORACE
	n->x = 1; // NORACE
	pthread_mutex_lock(&m);
	G = q;
	pthread_mutex_unlock(&m);
	free(o);
	return arg;
}

static void *
reader(void *arg)
{
	struct node *r;

	pthread_mutex_lock(&m);
	r = G;
	pthread_mutex_unlock(&m);
	if (r && r->x) // NORACE
		return r;
	return arg;
}

int
main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
