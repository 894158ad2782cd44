/* A lock of an object that is never made is held by nobody, and chosen among none. */
#include <pthread.h>

struct s {
	int n;
	pthread_mutex_t m;
};
static struct s *none;
static int x;

static void
take(struct s *a, struct s *b)
{
	pthread_mutex_lock(&(x ? a : b)->m);
}

static void *
worker(void *arg)
{
	struct s *p = none, *q = p;

	take(p, q);
	p->n++;
	x++; // RACE possible
	return arg;
}

int
main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	x = 1; // RACE possible
	return 0;
}
