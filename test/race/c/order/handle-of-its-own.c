/* Each parent joins its own child, by its own handle, on its own data. */
#include <pthread.h>

static void *
child(void *arg)
{
	int *own = arg;

	*own = 2; // NORACE
	return NULL;
}

static void *
parent(void *arg)
{
	int *own = arg;
	pthread_t h;

	pthread_create(&h, NULL, child, own);
	pthread_join(h, NULL);
	*own = 1; // NORACE
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
