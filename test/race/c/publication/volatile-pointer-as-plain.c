/* Volatile accesses as plain ones: the pointer is a likely race. */
// FLAGS: --volatile race
#include <pthread.h>
#include <stdlib.h>

struct item {
	int x;
};

static struct item *volatile G;

static void *
writer(void *arg)
{
	struct item *p = malloc(sizeof *p);

	p->x = 1; // RACE possible
	G = p; // RACE
	return arg;
}

static void *
reader(void *arg)
{
	struct item *o;

	o = G; // RACE
	if (o && o->x) // RACE possible
		return o;
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
