/* What an object points to is complete before the object is published. */
#include <pthread.h>
#include <stdlib.h>

struct inner {
	int x;
};

struct outer {
	struct inner *f;
};

static struct outer *G;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *
writer(void *arg)
{
	struct outer *o = malloc(sizeof *o);
	struct inner *p = malloc(sizeof *p);

	o->f = p; // NORACE
	p->x = 1; // NORACE
	pthread_mutex_lock(&m);
	G = o; // NORACE
	pthread_mutex_unlock(&m);
	return arg;
}

static void *
reader(void *arg)
{
	struct outer *o;
	int *to = malloc(sizeof *to);

	pthread_mutex_lock(&m);
	o = G; // NORACE
	pthread_mutex_unlock(&m);
	if (o)
		*to = o->f->x; // NORACE
	return arg ? arg : to;
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
