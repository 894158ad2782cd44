/* The data is each family's own, but one global holds the handles of both: the
 * child that is joined may be the other parent's. */
#include <pthread.h>

static pthread_t h;

static void *
child(void *arg)
{
	int *own = arg;

	*own = 2; // RACE
	return NULL;
}

static void *
parent(void *arg)
{
	int *own = arg;

	pthread_create(&h, NULL, child, own);
	pthread_join(h, NULL);
	*own = 1; // RACE
	return NULL;
}

int
main(void)
{
	static int one, two;
	pthread_t a, b;

	pthread_create(&a, NULL, parent, &one);
	pthread_create(&b, NULL, parent, &two);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return one + two;
}
